// A worker for tests of the pool: answers, fails, dies or blocks as it is told.
import { threadId } from 'node:worker_threads'
import { serveJobs } from '../../dist/runtime/onnx/serve-jobs.js'

serveJobs(async (request) => {
  switch (request.do) {
    case 'die':
      return process.exit(3)
    case 'fail':
      throw new Error('no such model')
    case 'block':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, request.ms)
      return { threadId, value: request.value }
    default:
      return { threadId, value: request.value }
  }
})
