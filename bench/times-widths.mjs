/** Advance widths of Times-Roman for the characters from space to tilde, in thousandths of the font size (Adobe font metrics). */
const widths = [
  250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564,
  444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333,
  469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200,
  480, 541,
]

/** Width of a line in points. */
export function widthOf(text, size) {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += widths[text.charCodeAt(i) - 32] ?? 500
  return (sum * size) / 1000
}
