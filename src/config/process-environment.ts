/** Sets variables of this process, for libraries that read them when they are loaded and for its children. Threads that run already keep theirs. */
export function setProcessEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values)
}
