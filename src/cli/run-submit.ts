import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config/load-config.ts'
import { KafkaBus } from '../consumers/kafka/kafka-bus.ts'
import { type InputFile, inputFiles, type PassedOver } from '../inputs/input-files.ts'
import { isRemote, withoutSecrets } from '../inputs/reference.ts'
import { type Submitted, Submitter } from '../inputs/submitter.ts'
import { toFailure } from '../schema/failure.ts'
import { openStore } from '../store/open-store.ts'
import type { SubmitFlags } from './submit-command.ts'
import { SubmitFollower } from './submit-follower.ts'
import { shown } from './terminal-text.ts'

/** Runs `pagestream submit`; answers with the exit code. */
export async function runSubmit(inputs: string[], flags: SubmitFlags): Promise<number> {
  const config = loadConfig({ file: flags.config })
  const store = await openStore(config.store)
  const bus = await KafkaBus.connect(config.kafka, flags.lane)
  try {
    const follower = flags.wait || flags.follow ? await SubmitFollower.start(config.kafka, flags) : undefined
    const submitter = new Submitter(config, store, bus)
    let failed = 0
    const stdin = { stream: process.stdin, folder: join(tmpdir(), `pagestream-${randomUUID()}`), maxBytes: config.limits.maxDocumentBytes }
    const local = inputs.filter((input) => !isRemote(input))
    for await (const file of allInputs(inputs.filter(isRemote), inputFiles(local, stdin))) {
      if ('passedOver' in file) continue
      try {
        if (file.failure) throw file.failure
        const remote = isRemote(file.path)
        const submitted = await (remote ? submitter.identifyRemote(file.path, flags.byReference === true) : submitter.identify(file.path, file.name))
        const ended = await submitter.ended(submitted)
        if (!ended) {
          follower?.expect(submitted)
          await submitter.send(submitted)
        }
        report(submitted, ended ? 'unchanged' : 'submitted', flags)
      } catch (error) {
        failed++
        const { code, message } = isFailure(error) ? error : toFailure(error)
        if (flags.json) process.stdout.write(`${JSON.stringify({ event: 'refused', path: isRemote(file.path) ? file.name : file.path, code, message })}\n`)
        else process.stderr.write(`${shown(`refused   ${file.name}: ${code}: ${message}`)}\n`)
      }
    }
    failed += (await follower?.end()) ?? 0
    return failed > 0 ? 1 : 0
  } finally {
    await bus.close()
  }
}

/** References are named without their parameters, which may hold a token. */
async function* allInputs(remote: readonly string[], files: AsyncIterable<InputFile | PassedOver>): AsyncIterable<InputFile | PassedOver> {
  for (const path of remote) yield { path, name: withoutSecrets(path) }
  yield* files
}

const isFailure = (error: unknown): error is { code: string; message: string } =>
  typeof error === 'object' && error !== null && 'class' in error && 'code' in error && !(error instanceof Error)

function report({ documentId, revision, source }: Submitted, event: 'submitted' | 'unchanged', flags: SubmitFlags): void {
  if (flags.json) process.stdout.write(`${JSON.stringify({ event, documentId, revision, name: source.name })}\n`)
  else process.stdout.write(`${shown(`${event} ${source.name}  ${documentId}/${revision}`)}\n`)
}
