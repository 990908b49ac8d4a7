import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { z } from 'zod'

export const pythonPackages = ['vllm', 'sglang', 'lmdeploy', 'mlx-vlm', 'transformers', 'mineru-vl-utils'] as const
export type PythonPackage = (typeof pythonPackages)[number]

const run = promisify(execFile)
const answerMs = 20_000

/** Reads what the installer wrote down of the packages and loads none of them: that would take many seconds. */
const program = `
import importlib.metadata, json, sys
def version(name):
    try:
        return importlib.metadata.version(name)
    except Exception:
        return None
print(json.dumps({name: version(name) for name in sys.argv[1:]}))`

const answerSchema = z.record(z.string(), z.string().max(200).nullable())

/** Versions of the packages of a Python; undefined where it cannot be asked, null for a package that is not there. */
export async function pythonVersions(
  python: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Partial<Record<PythonPackage, string | null>>> | undefined> {
  try {
    const { stdout } = await run(python, ['-c', program, ...pythonPackages], { env: { ...env }, timeout: answerMs, maxBuffer: 65_536 })
    return answerSchema.parse(JSON.parse(stdout))
  } catch {
    return undefined
  }
}

/** The Python that a script was installed for, by its first lines; undefined for any other program. */
export async function pythonOf(script: string): Promise<string | undefined> {
  const file = await open(script).catch(() => undefined)
  if (!file) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
    const [first = '', second = ''] = buffer.toString('utf8', 0, bytesRead).split('\n')
    // Where the path is long or holds a blank, installers go through the shell: `'''exec' "/a path/bin/python" "$0" "$@"`.
    return /^#!\s*(\/\S*python[\d.]*)\s*$/.exec(first)?.[1] ?? /^'''exec' "?(\/[^"]{1,900}python[\d.]*)"? /.exec(second)?.[1]
  } finally {
    await file.close()
  }
}
