/** Whether a version is before another, by their numbers: `0.9.2.post1` is before `0.10`. */
export function versionBefore(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)]
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

const numbersOf = (version: string): number[] => (/^\d{1,6}(?:\.\d{1,6}){0,4}/.exec(version)?.[0] ?? '').split('.').map(Number)
