import { readFileSync } from 'node:fs'
import { engineModule } from '../dist/runtime/documents/pdf/engine-module.js'
import { startEngine } from '../dist/runtime/documents/pdf/engine.js'
const e = await startEngine(await engineModule(), 512*1024*1024)
const {call, heap, scratch}=e
const [file,page='1',from='0',n='60']=process.argv.slice(2)
const b=readFileSync(file); const p=e.allocate(b.length); heap.u8.set(b,p)
const d=call.FPDF_LoadMemDocument(p,b.length,0); console.log('doc',d,'err',call.FPDF_GetLastError(),'pages',d&&call.FPDF_GetPageCount(d))
const pg=call.FPDF_LoadPage(d,page-1); console.log('page',pg, call.FPDF_GetPageWidthF(pg), call.FPDF_GetPageHeightF(pg), 'objects',call.FPDFPage_CountObjects(pg))
const t=call.FPDFText_LoadPage(pg)
const c=call.FPDFText_CountChars(t)
for(let i=+from;i<Math.min(c,+from+ +n);i++){const u=call.FPDFText_GetUnicode(t,i)>>>0;call.FPDFText_GetCharOrigin(t,i,scratch,scratch+8);const x=heap.f64[scratch>>3],y=heap.f64[(scratch>>3)+1];call.FPDFText_GetLooseCharBox(t,i,scratch);const l=[...heap.f32.subarray(scratch>>2,(scratch>>2)+4)].map(v=>v.toFixed(1)).join(' ')
const o=call.FPDFText_GetTextObject(t,i); console.log(i,u.toString(16),String.fromCodePoint(u>0x10ffff?63:u),x.toFixed(2),y.toFixed(2),'['+l+']','gen',call.FPDFText_IsGenerated(t,i),'err',call.FPDFText_HasUnicodeMapError(t,i),'obj',o,'size',call.FPDFText_GetFontSize(t,i), o?call.FPDFTextObj_GetTextRenderMode(o):'')}
