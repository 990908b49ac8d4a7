// The two figures of the paper: a chart of lines and bars, and a picture of a pump house painted pixel by pixel.
import { monthly } from './paper-text.mjs'
import { bellShaped, randomNumbers, toByte } from './raster.mjs'

const label = (doc, text, x, y, width, align) => doc.font('Helvetica').fontSize(7).fillColor('black').text(text, x, y, { width, align, lineBreak: false })

/** Bars for the volume (left scale, 0 to 15), a line for the tide (right scale, 3 to 4.5), in a frame of `width` by `height` points. */
export function drawChart(doc, months, x, y, width, height) {
  const plot = { left: x + 34, right: x + width - 34, top: y + 8, bottom: y + height - 18 }
  const step = (plot.right - plot.left) / months.length
  const span = plot.bottom - plot.top
  doc.lineWidth(0.4).strokeColor('#999999')
  for (let value = 0; value <= 15; value += 5) {
    const at = plot.bottom - (value / 15) * span
    doc.moveTo(plot.left, at).lineTo(plot.right, at).stroke()
    label(doc, String(value), x + 14, at - 3, 16, 'right')
    label(doc, (3 + value / 10).toFixed(1), plot.right + 4, at - 3, 20, 'left')
  }
  doc.fillColor('#8fb3c9')
  for (const [i, volume] of monthly.perDay.entries()) {
    const tall = (volume / 15) * span
    doc.rect(plot.left + (i + 0.2) * step, plot.bottom - tall, step * 0.6, tall).fill()
    doc.fillColor('#8fb3c9')
  }
  doc.lineWidth(1.4).strokeColor('#8c2f1b')
  for (const [i, range] of monthly.range.entries()) {
    const point = [plot.left + (i + 0.5) * step, plot.bottom - ((range - 3) / 1.5) * span]
    if (i === 0) doc.moveTo(...point)
    else doc.lineTo(...point)
  }
  doc.stroke()
  doc
    .lineWidth(0.8)
    .strokeColor('black')
    .moveTo(plot.left, plot.top)
    .lineTo(plot.left, plot.bottom)
    .lineTo(plot.right, plot.bottom)
    .lineTo(plot.right, plot.top)
    .stroke()
  for (const [i, month] of months.entries()) label(doc, month.slice(0, 3), plot.left + i * step, plot.bottom + 5, step, 'center')
  for (const [text, at, angle] of [
    ['cubic metres a day', x + 8, -90],
    ['metres', x + width - 8, 90],
  ]) {
    doc.save().rotate(angle, { origin: [at, (plot.top + plot.bottom) / 2] })
    label(doc, text, at - 60, (plot.top + plot.bottom) / 2 - 3, 120, 'center')
    doc.restore()
  }
}

/** Sky, hills, a pump house with a lit window on its quay, and low water: RGB pixels of `width` by `height`. */
export function paintPumpHouse(width, height) {
  const random = randomNumbers(1843)
  const data = new Uint8Array(width * height * 3)
  const ridge = hills(width, random)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = colourAt(x / width, y / height, ridge[x])
      const grain = bellShaped(random) * 4
      const at = (y * width + x) * 3
      data[at] = toByte(r + grain)
      data[at + 1] = toByte(g + grain)
      data[at + 2] = toByte(b + grain)
    }
  }
  return data
}

/** The height of the hills by column: a walk that is pulled back to its mean. */
function hills(width, random) {
  const heights = []
  let level = 0
  for (let x = 0; x < width; x++) {
    level += (random() - 0.5) * 0.008 - level * 0.012
    heights.push(0.4 + level)
  }
  return heights
}

function colourAt(u, v, ridge) {
  const house = houseColour(u, v)
  if (house) return house
  if (v < ridge) return [196 - v * 120, 206 - v * 60, 214 + v * 30]
  if (v < 0.58) return [92 + v * 30, 108 + v * 20, 92]
  if (v < 0.64 && u > 0.3) return [120, 112, 104]
  const ripple = ((v * 190) % 7) + ((u * 23 + v * 61) % 3)
  return [70 + ripple * 5, 96 + ripple * 5, 112 + ripple * 4]
}

function houseColour(u, v) {
  if (u < 0.5 || u > 0.74) return undefined
  const roof = 0.3 + Math.abs(u - 0.62) * 0.6
  if (v < roof - 0.06 || v > 0.58) return undefined
  if (v < roof) return [92, 58, 48]
  if (u > 0.54 && u < 0.58 && v > 0.42 && v < 0.49) return [240, 214, 130]
  if (u > 0.64 && u < 0.69 && v > 0.43) return [74, 62, 54]
  const plank = Math.floor(v * 100) % 4 === 0 ? -14 : 0
  return [188 + plank, 182 + plank, 170 + plank]
}
