const restartsVariable = 'PAGESTREAM_RESTARTS'

/** Tells a process that is started how often it was started again. */
export const restartsEnvironment = (restarts: number): Readonly<Record<string, string>> => ({ [restartsVariable]: String(restarts) })

/** How often whoever minds this process has started it again; undefined where nobody does. */
export function restartsOfEnvironment(env: Readonly<Record<string, string | undefined>> = process.env): number | undefined {
  const said = env[restartsVariable] ?? ''
  return /^\d{1,9}$/.test(said) ? Number(said) : undefined
}

/** Sets variables of this process, for libraries that read them when they are loaded and for its children. Threads that run already keep theirs. */
export function setProcessEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values)
}
