import { readFileSync, readdirSync } from 'node:fs'
const f='/tmp/prof/'+readdirSync('/tmp/prof')[0]; const p=JSON.parse(readFileSync(f))
const self=new Map(), total=p.samples.length; const byId=new Map(p.nodes.map(n=>[n.id,n]))
const cnt=new Map(); for(const s of p.samples)cnt.set(s,(cnt.get(s)??0)+1)
for(const [id,c] of cnt){const n=byId.get(id);const k=n.callFrame.functionName+' '+n.callFrame.url.split('/').pop()+':'+n.callFrame.lineNumber;self.set(k,(self.get(k)??0)+c)}
;[...self].sort((a,b)=>b[1]-a[1]).slice(0,40).forEach(([k,c])=>console.log((c/total*100).toFixed(1)+'%',k))
