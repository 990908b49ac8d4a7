import type { Config } from '../../config/config.ts'
import type { Documents } from '../../runtime/document-reader.ts'
import { encodePicture } from '../../runtime/documents/pictures/encode-picture.ts'
import type { VlmPageReader } from '../../runtime/vlm/page-reader.ts'
import type { DocumentPage } from '../../schema/document.ts'
import type { DocumentSource } from '../../schema/page.ts'
import type { AssembleOptions } from '../../stages/assemble/assembler.ts'
import type { PagePicture } from '../../stages/assemble/viewer/page-html.ts'
import { ViewerWriter } from '../../stages/assemble/viewer/viewer-writer.ts'
import type { OutputSink } from '../../store/output-sink.ts'
import type { ChainModel } from './chain-workers.ts'
import { cellMerger } from './model-cell-merger.ts'
import { ModelTitleLeveller } from './model-title-leveller.ts'

export interface AssembleParts {
  readonly config: Config
  readonly documents: Documents
  /** The vision-language model of this run. */
  readonly model: Pick<ChainModel, 'reader'> | undefined
}

/** What assemble writes for a document of this run, and whom it asks. */
export function assembleOptions(source: DocumentSource, sink: OutputSink, { config, documents, model }: AssembleParts): AssembleOptions {
  const makePicture = (page: DocumentPage) => pagePicture(page, source, config, documents, sink)
  const writers = config.formats.includes('html') ? [new ViewerWriter(sink, makePicture)] : []
  return { formats: config.formats, chunks: config.chunks, writers, ...(model && asked(model.reader, config)) }
}

/** What is asked of the model beyond its pages, where it can be. */
function asked(reader: VlmPageReader, { vlm }: Config): Pick<AssembleOptions, 'cells' | 'titles'> {
  const { askText } = reader
  return {
    cells: cellMerger(reader),
    ...(vlm.titleLevels && askText && { titles: new ModelTitleLeveller({ askText: askText.bind(reader) }) }),
  }
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
