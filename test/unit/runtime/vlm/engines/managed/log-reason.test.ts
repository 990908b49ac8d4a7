import { describe, expect, it } from 'vitest'
import { isPortTaken, knownReason, reasonInLog } from '../../../../../../src/runtime/vlm/engines/managed/log-reason.ts'

describe('reasonInLog', () => {
  it('takes the first and the last lines that say what is wrong', () => {
    const lines = ['loading', "failed to open '/m.gguf' (No such file or directory)", 'error: a', 'error: b', 'error: c', 'cleaning up before exit']
    expect(reasonInLog(lines)).toBe("failed to open '/m.gguf' (No such file or directory) | error: b | error: c")
  })

  it('takes the end of a trace and not its head', () => {
    expect(reasonInLog(['Traceback (most recent call last):', '  File "a.py", line 1', 'ValueError: the model has no such architecture'])).toBe(
      'ValueError: the model has no such architecture',
    )
  })

  it('takes the last lines where none says so, and nothing from nothing', () => {
    expect(reasonInLog(['a', 'b', 'c', 'd'])).toBe('b | c | d')
    expect(reasonInLog([])).toBe('')
  })

  it('is bounded', () => {
    expect(reasonInLog([`error ${'x'.repeat(5000)}`]).length).toBe(300)
  })
})

describe('knownReason', () => {
  it('names a reason in words of ours, and repeats nothing of a log that may hold text of documents', () => {
    expect(knownReason(['Secret sentence', 'torch.OutOfMemoryError: CUDA out of memory. Secret'])).toBe('out of memory')
    expect(knownReason(['Secret sentence'])).toBe('')
  })
})

describe('isPortTaken', () => {
  it.each([
    "couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 1",
    "[Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use",
  ])('knows %s', (line) => expect(isPortTaken([line])).toBe(true))
})
