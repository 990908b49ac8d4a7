import type { BackfillCheckpoint, Problem, RunEnd } from '../schema/backfill.ts'
import type { Failure } from '../schema/failure.ts'

/** What became of an entry of the archive, with the key of its document, id/revision; passed over without one: another entry is the same document. */
export type Dealt =
  | { readonly sent: string }
  | { readonly passedOver: string | undefined }
  | { readonly refused: Failure; readonly name?: string }
  | { readonly leftOut: true }

type Counts = Omit<BackfillCheckpoint, 'open' | 'early'>

/**
 * The books of a run: which of its documents are under way, and how the others ended. Each document that was sent is counted once,
 * however often its end is told. Events may come before their document is noted as sent, in this process or in one that was killed
 * behind its last checkpoint: those ends are kept until their entry is dealt with. What is held is bounded by the documents in
 * flight and the interval of checkpoints, and all of it is in the snapshot.
 */
export class RunLedger {
  readonly counts: Counts
  readonly #open: Set<string>
  readonly #early: Map<string, RunEnd>
  /** Sent, and not noted yet. */
  readonly #pending = new Set<string>()
  readonly #problems: Problem[] = []
  /** Passed over in the window: what was sent before a kill and has ended looks like what was done before the run. */
  readonly #doubtful = new Set<string>()
  /** Entries before this one may have been sent by a process that was killed, and as many again in which their ends may still be told. */
  readonly #windowEnd: number
  readonly #mostEarly: number

  /** `window`: entries that may have been dealt with since a checkpoint was written. */
  constructor({ open, early, ...counts }: BackfillCheckpoint, window: number) {
    this.counts = structuredClone(counts)
    this.#open = new Set(open)
    this.#early = new Map(early)
    this.#windowEnd = counts.entries + 2 * window
    this.#mostEarly = 2 * window
  }

  /** Documents that workers have and that have not ended. */
  get inFlight(): number {
    return this.#open.size + this.#pending.size
  }

  openKeys(): string[] {
    return [...this.#open]
  }

  /** Whether the document is on its way already: another entry has the same content. */
  isUnderWay(key: string): boolean {
    return this.#open.has(key) || this.#pending.has(key)
  }

  /** Whether this run sent the document before and it has ended, though no checkpoint says so. */
  hasEndedEarly(key: string): boolean {
    return this.#early.has(key) && !this.#pending.has(key)
  }

  /** Before it is sent. */
  sending(key: string): void {
    this.#pending.add(key)
  }

  /** Notes what became of the next entry: position and counts change together. */
  note(position: string, dealt: Dealt): void {
    const { counts } = this
    counts.position = position
    counts.entries++
    if ('sent' in dealt) this.#noteSent(dealt.sent)
    else if ('passedOver' in dealt) this.#notePassedOver(dealt.passedOver)
    else if ('leftOut' in dealt) counts.leftOut++
    else this.#noteRefused(dealt.refused, dealt.name ?? position)
    if (counts.entries < this.#windowEnd) return
    this.#doubtful.clear()
    for (const key of this.#early.keys()) if (!this.#pending.has(key)) this.#early.delete(key)
  }

  #noteRefused({ class: failureClass, code }: Failure, name: string): void {
    const { refused } = this.counts
    refused[failureClass] = (refused[failureClass] ?? 0) + 1
    this.#problems.push({ what: 'refused', name, code })
  }

  #noteSent(key: string): void {
    this.counts.sent++
    this.#pending.delete(key)
    const end = this.#early.get(key)
    if (end) {
      this.#early.delete(key)
      this.#count(key, end)
    } else this.#open.add(key)
  }

  #notePassedOver(key: string | undefined): void {
    this.counts.passedOver++
    if (key !== undefined && this.counts.entries < this.#windowEnd) this.#doubtful.add(key)
  }

  /** The end of a document of this run, as an event or the store tells it. */
  heard(key: string, end: RunEnd): void {
    if (this.#open.delete(key)) {
      this.#count(key, end)
      return
    }
    if (this.#doubtful.delete(key)) {
      this.counts.passedOver--
      this.counts.sent++
      this.#count(key, end)
      return
    }
    if (!this.#pending.has(key) && this.counts.entries >= this.#windowEnd) return // told again
    this.#early.set(key, end)
    for (const oldest of this.#early.keys()) {
      if (this.#early.size <= this.#mostEarly + this.#pending.size) break
      if (!this.#pending.has(oldest)) this.#early.delete(oldest)
    }
  }

  /** A document that is no longer waited for. */
  lose(key: string): void {
    if (!this.#open.delete(key)) return
    this.counts.lost++
    this.#problems.push({ what: 'lost', name: key, document: key })
  }

  /** What was noted since the last time: goes with the next snapshot. */
  takeProblems(): Problem[] {
    return this.#problems.splice(0)
  }

  /** They could not be kept. */
  putBack(problems: readonly Problem[]): void {
    this.#problems.unshift(...problems)
  }

  snapshot(): BackfillCheckpoint {
    return structuredClone({ ...this.counts, open: [...this.#open], early: [...this.#early] })
  }

  #count(key: string, { status, pages, failedPages, failure, name = key, code }: RunEnd): void {
    const { counts } = this
    counts.ended[status]++
    counts.pages += pages
    counts.failedPages += failedPages
    if (failure) counts.failures[failure] = (counts.failures[failure] ?? 0) + 1
    if (status !== 'complete') this.#problems.push({ what: status, name, document: key, failedPages, ...(code !== undefined && { code }) })
  }
}
