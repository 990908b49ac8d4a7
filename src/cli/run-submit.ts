import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config/load-config.ts'
import { KafkaBus } from '../consumers/kafka/kafka-bus.ts'
import { endsTheWorker } from '../consumers/retry.ts'
import { type InputFile, inputFiles, type PassedOver } from '../inputs/input-files.ts'
import { isRemote, withoutSecrets } from '../inputs/reference.ts'
import { type Submitted, Submitter } from '../inputs/submitter.ts'
import { PagestreamError, toFailure } from '../schema/failure.ts'
import { openStore } from '../store/open-store.ts'
import { openTracer } from '../telemetry/tracing/open-tracer.ts'
import { print } from './print.ts'
import type { SubmitFlags } from './submit-command.ts'
import { SubmitFollower } from './submit-follower.ts'
import { shown } from './terminal-text.ts'

/** Runs `pagestream submit`; answers with the exit code. */
export async function runSubmit(inputs: string[], flags: SubmitFlags): Promise<number> {
  const config = loadConfig({ file: flags.config })
  const store = await openStore(config.store)
  const tracer = await openTracer()
  const bus = await KafkaBus.connect(config.kafka, flags.lane, { topics: ['documents'] })
  try {
    const follower = flags.wait || flags.follow ? await SubmitFollower.start(config.kafka, flags) : undefined
    const submitter = new Submitter(config, store, bus, tracer)
    let failed = 0
    const stdin = { stream: process.stdin, folder: join(tmpdir(), `pagestream-${randomUUID()}`), maxBytes: config.limits.maxDocumentBytes }
    const local = inputs.filter((input) => !isRemote(input))
    for await (const file of allInputs(inputs.filter(isRemote), inputFiles(local, stdin))) {
      if ('passedOver' in file) continue
      try {
        await submit(file, submitter, follower, flags)
      } catch (error) {
        if (error instanceof PagestreamError && endsTheWorker(error)) throw error // it would be that of every other file too
        failed++
        reportRefused(file, error, flags)
      }
    }
    failed += (await follower?.end()) ?? 0
    return failed > 0 ? 1 : 0
  } finally {
    await bus.close()
    await tracer[Symbol.asyncDispose]()
  }
}

async function submit(file: InputFile, submitter: Submitter, follower: SubmitFollower | undefined, flags: SubmitFlags): Promise<void> {
  if (file.failure) throw file.failure
  const submitted = await (isRemote(file.path) ? submitter.identifyRemote(file.path, flags.byReference === true) : submitter.identify(file.path, file.name))
  const ended = await submitter.ended(submitted)
  if (!ended) {
    follower?.expect(submitted)
    await submitter.send(submitted)
  }
  report(submitted, ended ? 'unchanged' : 'submitted', flags)
}

/** References are named without their parameters, which may hold a token. */
async function* allInputs(remote: readonly string[], files: AsyncIterable<InputFile | PassedOver>): AsyncIterable<InputFile | PassedOver> {
  for (const path of remote) yield { path, name: withoutSecrets(path) }
  yield* files
}

const isFailure = (error: unknown): error is { code: string; message: string } =>
  typeof error === 'object' && error !== null && 'class' in error && 'code' in error && !(error instanceof Error)

function report({ documentId, revision, source }: Submitted, event: 'submitted' | 'unchanged', { json }: SubmitFlags): void {
  if (json) print(JSON.stringify({ event, documentId, revision, name: source.name }))
  else print(shown(`${event} ${source.name}  ${documentId}/${revision}`))
}

function reportRefused({ path, name }: InputFile, error: unknown, { json }: SubmitFlags): void {
  const { code, message } = isFailure(error) ? error : toFailure(error)
  if (json) print(JSON.stringify({ event: 'refused', path: isRemote(path) ? name : path, code, message }))
  else process.stderr.write(`${shown(`refused   ${name}: ${code}: ${message}`)}\n`)
}
