// Stands for a PDF worker: the path of the document says how it behaves on which page.
import { parentPort } from 'node:worker_threads'

const info = { pageCount: 100, mediaType: 'application/pdf', metadata: {}, outline: [], tagged: false, flags: [] }
const thread = Math.random()

parentPort.on('message', (message) => {
  if (message.kind !== 'job') return
  const { id, source, task } = message
  const done = (value) => parentPort.postMessage({ kind: 'done', id, value, heapBytes: source.path === 'hungry' ? 1e9 : 0 })
  if (task.kind === 'info') return done(info)
  if (task.pageIndex === 3) {
    if (source.path === 'loops') for (;;);
    if (source.path === 'throws') throw new Error('out of order')
    if (source.path === 'exits') process.exit(7)
    if (source.path === 'traps') {
      parentPort.postMessage({ kind: 'failed', id, code: 'page-crashed', message: 'reading page 4: trapped', fatal: true })
      return
    }
    if (source.path === 'refuses') {
      parentPort.postMessage({ kind: 'failed', id, code: 'page-corrupt', message: 'loading page 4: broken', fatal: false })
      return
    }
  }
  if (source.path === 'slow') {
    setTimeout(() => done({ thread, page: task.pageIndex }), 30)
    return
  }
  done({ thread, page: task.pageIndex })
})
