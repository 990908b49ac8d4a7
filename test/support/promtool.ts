import { spawnSync } from 'node:child_process'

const has = (program: string) => spawnSync(program, ['--version']).status === 0

/** What a test that needs it is called where it is not installed. */
export const promtoolMissing = has('promtool') ? undefined : 'promtool'

/** Runs promtool; what it said, and whether it was content. */
export function promtool(...args: readonly string[]): { readonly ok: boolean; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return { ok: status === 0, said: `${stdout}${stderr}` }
}
