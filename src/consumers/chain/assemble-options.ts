import type { Config } from '../../config/config.ts'
import type { Documents } from '../../runtime/document-reader.ts'
import { encodePicture } from '../../runtime/documents/pictures/encode-picture.ts'
import type { TextModel } from '../../runtime/text-model/text-model.ts'
import type { DocumentPage } from '../../schema/document.ts'
import type { DocumentSource } from '../../schema/page.ts'
import type { AssembleOptions } from '../../stages/assemble/assembler.ts'
import type { TitleLeveller } from '../../stages/assemble/survey/title-leveller.ts'
import type { PagePicture } from '../../stages/assemble/viewer/page-html.ts'
import { ViewerWriter } from '../../stages/assemble/viewer/viewer-writer.ts'
import type { OutputSink } from '../../store/output-sink.ts'
import type { Counters } from '../../telemetry/counters.ts'
import type { ChainModel } from './chain-workers.ts'
import { cellMerger } from './model-cell-merger.ts'
import { ModelTitleLeveller } from './model-title-leveller.ts'

export interface AssembleParts {
  readonly config: Config
  readonly documents: Documents
  /** The vision-language model of this run. */
  readonly model: Pick<ChainModel, 'reader'> | undefined
  readonly textModel: TextModel | undefined
  readonly counters: Pick<Counters, 'titleLevels'>
}

/** What assemble writes for a document of this run, and whom it asks. */
export function assembleOptions(source: DocumentSource, sink: OutputSink, parts: AssembleParts): AssembleOptions {
  const { config, documents, model, counters } = parts
  const makePicture = (page: DocumentPage) => pagePicture(page, source, config, documents, sink)
  const writers = config.formats.includes('html') ? [new ViewerWriter(sink, makePicture)] : []
  return {
    ...{ formats: config.formats, chunks: config.chunks, writers },
    ...{ cells: model && cellMerger(model.reader), titles: titleLeveller(parts) },
    onLevels(told) {
      counters.titleLevels[told ? 'told' : 'kept']++
    },
  }
}

/** Turns of a text model that one of a document may have to wait for: those of both lanes, and of two documents in each. */
const mostTurns = 4

/** The text model, where there is one; else the model that reads pages, where the configuration wants it and it can be asked. */
function titleLeveller({ config: { vlm, textModel }, model, textModel: asker }: AssembleParts): TitleLeveller | undefined {
  if (asker) return new ModelTitleLeveller(asker, mostTurns * textModel.timeoutMs)
  const askText = model?.reader.askText?.bind(model.reader)
  return vlm.titleLevels && askText ? new ModelTitleLeveller({ askText }) : undefined
}

/** Renders a page for the viewer. A page that was read but cannot be drawn goes without: its text is there. */
async function pagePicture(
  page: DocumentPage,
  source: DocumentSource,
  config: Config,
  documents: Documents,
  sink: OutputSink,
): Promise<PagePicture | undefined> {
  try {
    const options = { dpi: config.render.viewerDpi, angle: page.angle, channels: 3, maxPixels: 4_000_000 } as const
    const picture = await documents.use(source, (document) => document.picture(page.index, options))
    const path = `pages/${String(page.index + 1).padStart(4, '0')}.jpg`
    await sink.write(path, await encodePicture(picture, 'jpeg'))
    return { path, width: picture.width, height: picture.height }
  } catch {
    return undefined
  }
}
