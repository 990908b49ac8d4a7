import { InvalidArgumentError } from 'commander'

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `2026-03-01T12:00:00Z`, or so long ago: `90s`, `30m`, `2h`, `7d`. Milliseconds since 1970. */
export function parseTime(text: string, now: number = Date.now()): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return now - Number(count) * (unitMs[unit] ?? 0)
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time such as 2026-03-01T12:00:00Z, or 30m, 2h, 7d ago')
  return time
}
