// Text flows through frames: the columns of pages that are made as they are needed.

/**
 * `frames` are in reading order: { page, x, width, top, bottom }. `openPage(index)` is called before anything is drawn on a page.
 * A piece is { height, before, draw(x, y, width) }; pieces of one list are placed one under the other.
 */
export class ColumnFlow {
  #frames
  #openPage
  #index = 0
  #y
  #page = -1

  constructor(frames, openPage) {
    this.#frames = frames
    this.#openPage = openPage
    this.#y = frames[0].top
  }

  get frame() {
    const frame = this.#frames[this.#index]
    if (!frame) throw new Error('setting the paper: the text is longer than its frames')
    return frame
  }

  /** Points left in the frame. */
  get room() {
    return this.frame.bottom - this.#y
  }

  /** Keeps `height` points at the foot of the frame for a note: { x, y, width } of that place. */
  reserveFoot(height) {
    const { frame } = this
    frame.bottom -= height
    return { x: frame.x, y: frame.bottom, width: frame.width }
  }

  nextFrame() {
    this.#index++
    this.#y = this.frame.top
  }

  /** Places pieces that stay together; white above is dropped at the top of a frame. */
  place(pieces) {
    const height = pieces.reduce((sum, piece) => sum + (piece.before ?? 0) + piece.height, 0)
    if (height > this.room) this.nextFrame()
    for (const piece of pieces) this.#put(piece)
  }

  /** Places lines that may be parted, but leaves at least two of them on either side. */
  placeLines(lines, before) {
    let rest = lines.map((line, index) => (index === 0 ? { ...line, before } : line))
    while (rest.length > 0) {
      let fits = 0
      let used = 0
      for (const line of rest) {
        used += line.height + (line.before ?? 0)
        if (used > this.room + 0.01) break
        fits++
      }
      if (fits < rest.length && rest.length - fits < 2) fits = rest.length - 2
      if (fits < Math.min(2, rest.length)) fits = 0
      for (const line of rest.slice(0, fits)) this.#put(line)
      rest = rest.slice(fits)
      if (rest.length > 0) this.nextFrame()
    }
  }

  #put(piece) {
    const { frame } = this
    if (frame.page !== this.#page) {
      this.#page = frame.page
      this.#openPage(frame.page)
    }
    if (this.#y > frame.top) this.#y += piece.before ?? 0
    piece.draw(frame.x, this.#y, frame.width)
    this.#y += piece.height
  }
}
