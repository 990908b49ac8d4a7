/** Listens to an answer for one way of going round in circles. Holds a bounded part of it; its work is bounded for each character. */
export interface Watcher {
  /** The next piece, which begins at `at` characters (UTF-16) of the answer. Gives the place from which on the answer is worth nothing, once it knows. */
  hear(piece: string, at: number): number | undefined
}
