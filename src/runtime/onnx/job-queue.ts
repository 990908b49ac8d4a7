/**
 * Waiting jobs, the lowest priority number first, in order of arrival within one priority.
 * The number of priorities is small and closed, so one list each is enough.
 */
export class JobQueue<Job extends { readonly priority: number; readonly costMs: number }> {
  readonly #lists = new Map<number, Job[]>()
  #size = 0
  #costMs = 0

  get size(): number {
    return this.#size
  }

  /** Expected work of all waiting jobs. */
  get costMs(): number {
    return this.#costMs
  }

  push(job: Job): void {
    const list = this.#lists.get(job.priority)
    if (list) list.push(job)
    else this.#lists.set(job.priority, [job])
    this.#count(job, 1)
  }

  shift(): Job | undefined {
    const first = [...this.#lists.keys()].sort((a, b) => a - b)[0]
    if (first === undefined) return undefined
    const list = this.#lists.get(first)
    const job = list?.shift()
    if (list?.length === 0) this.#lists.delete(first)
    if (job) this.#count(job, -1)
    return job
  }

  /** Takes a job out; false when it is not waiting. */
  remove(job: Job): boolean {
    const list = this.#lists.get(job.priority)
    const at = list?.indexOf(job) ?? -1
    if (!list || at < 0) return false
    list.splice(at, 1)
    if (list.length === 0) this.#lists.delete(job.priority)
    this.#count(job, -1)
    return true
  }

  /** Empties the queue. */
  drain(): Job[] {
    const jobs = [...this.#lists.entries()].sort(([a], [b]) => a - b).flatMap(([, list]) => list)
    this.#lists.clear()
    this.#size = 0
    this.#costMs = 0
    return jobs
  }

  #count(job: Job, sign: 1 | -1): void {
    this.#size += sign
    this.#costMs += sign * job.costMs
  }
}
