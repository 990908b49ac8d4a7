import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { ArchivedFile, ArchivedObject } from '../backfill/archive-source.ts'
import type { MeasuredSample } from '../backfill/plan.ts'
import type { Config } from '../config/config.ts'
import { isDocument } from '../inputs/input-files.ts'
import { RemoteFiles } from '../inputs/remote-files.ts'
import { parse } from '../parse/parse.ts'
import type { Counters } from '../telemetry/counters.ts'

/** Reads a sample of an archive on this machine; objects of a bucket are fetched first, which counts as no reading. */
export async function measureSample(sample: readonly (ArchivedFile | ArchivedObject)[], config: Config): Promise<MeasuredSample> {
  const { kafka: _, store: __, ...alone } = config
  const folder = await mkdtemp(join(tmpdir(), 'pagestream-sample-'))
  try {
    const remote = new RemoteFiles(config)
    const paths: string[] = []
    for (const [i, what] of sample.entries()) {
      const path = what.kind === 'file' ? what.path : join(folder, `${i}${extname(what.name)}`)
      if (what.kind === 'object') await remote.fetchTo(what.reference, path)
      if (what.kind === 'file' || (await isDocument(path))) paths.push(path)
    }
    const sum = { documents: 0, failed: 0, pages: 0, bytes: 0 }
    for (const path of paths) sum.bytes += (await stat(path).catch(() => undefined))?.size ?? 0
    let counters: Counters | undefined
    const onStart = (counts: Counters): void => {
      counters = counts
    }
    const startedAt = performance.now()
    for await (const event of parse(paths, { config: alone, onStart })) {
      if (event.type === 'page') sum.pages++
      if (event.type !== 'document') continue
      sum.documents++
      if (event.status === 'failed') sum.failed++
    }
    return { ...sum, modelPages: modelPagesOf(counters), seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Pages that the gate does not leave to their text layer alone. */
const modelPagesOf = (counters: Counters | undefined): number => (counters ? counters.verdicts['needs-reading'] + counters.verdicts.mixed : 0)
