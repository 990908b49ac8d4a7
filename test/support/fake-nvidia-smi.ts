import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One row as `nvidia-smi --query-gpu` prints it: sizes in MiB. */
export interface FakeGpu {
  readonly index: number
  readonly uuid: string
  readonly name?: string
  readonly totalMiB?: number
  readonly freeMiB?: number
  /** UUIDs of parts of ten gigabytes each. */
  readonly parts?: readonly string[]
}

/** A folder for the PATH that holds an `nvidia-smi` with these GPUs and no other program. */
export function fakeNvidiaSmi(gpus: readonly FakeGpu[]): string {
  const rows = gpus.map(({ index, uuid, name = 'NVIDIA L4', totalMiB = 23_034, freeMiB = totalMiB, parts = [] }) =>
    [index, uuid, name, '580.95.05', totalMiB, freeMiB, parts.length > 0 ? 'Enabled' : 'Disabled', '8.9'].join(', '),
  )
  const list = gpus.flatMap(({ index, uuid, name = 'NVIDIA L4', parts = [] }) => [
    `GPU ${index}: ${name} (UUID: ${uuid})`,
    ...parts.map((part, number) => `  MIG 1g.10gb     Device  ${number}: (UUID: ${part})`),
  ])
  return fakeProgram('nvidia-smi', `[ "$1" = -L ] && { echo '${list.join('\n')}'; exit 0; }\necho '${rows.join('\n')}'`)
}

/** A folder with one shell script. */
export function fakeProgram(name: string, script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pagestream-program-'))
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return folder
}
