/** Weight of the newest page in the mean. */
const newest = 0.05
/** Before any page was read. */
const firstGuessMs = 3000

/** The running mean of what pages take. */
export class PageCosts {
  meanMs = firstGuessMs

  add(ms: number): void {
    this.meanMs += (ms - this.meanMs) * newest
  }
}
