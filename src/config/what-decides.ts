import { createHash } from 'node:crypto'
import type { Config } from './config.ts'

/**
 * Hash of the settings that decide a result, models apart: results with the same one differ by the models that made them, by versions, or by the
 * document alone. What only decides speed is left out.
 */
export function settingsOf(config: Config): string {
  const { ocr, render, images, chunks, limits, vlm, textModel } = config
  const { maxRenderPixels, picturePages, maxPagePoints, maxPicturePixels } = limits
  const decides = [ocr, render.dpi, render.viewerDpi, images, chunks, maxRenderPixels, picturePages, maxPagePoints, maxPicturePixels]
  return createHash('sha256')
    .update(JSON.stringify([...decides, vlm.effort, vlm.imageAnalysis, vlm.titleLevels || textModel.file !== '']))
    .digest('hex')
    .slice(0, 16)
}
