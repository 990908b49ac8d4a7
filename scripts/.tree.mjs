import { readFileSync, readdirSync } from 'node:fs'
const f='/tmp/prof/'+readdirSync('/tmp/prof')[0]; const p=JSON.parse(readFileSync(f))
const byId=new Map(p.nodes.map(n=>[n.id,n])); const self=new Map()
const dt=p.timeDeltas; p.samples.forEach((s,i)=>self.set(s,(self.get(s)??0)+dt[i]))
const tot=n=>{let t=self.get(n.id)??0;for(const c of n.children??[])t+=tot(byId.get(c));n.tot=t;return t}
tot(p.nodes[0])
const show=(n,d)=>{if(n.tot<4000)return;console.log(' '.repeat(d)+(n.tot/1000).toFixed(1)+'ms self '+((self.get(n.id)??0)/1000).toFixed(1)+' '+n.callFrame.functionName+' '+n.callFrame.url.split('/').pop()+':'+n.callFrame.lineNumber);for(const c of (n.children??[]).map(c=>byId.get(c)).sort((a,b)=>b.tot-a.tot))show(c,d+1)}
show(p.nodes[0],0)
