import type { Config } from '../config/config.ts'
import type { BackfillSpec } from '../schema/backfill.ts'
import type { ArchiveSource } from './archive-source.ts'
import { BucketArchive } from './bucket-archive.ts'
import { FolderArchive } from './folder-archive.ts'
import { ManifestArchive } from './manifest-archive.ts'
import { TopicArchive } from './topic-archive.ts'

/** Rejects with `input-forbidden` a bucket that is not allowed. */
export function openArchive(archive: BackfillSpec['archive'], config: Config): ArchiveSource {
  switch (archive.kind) {
    case 'folder':
      return new FolderArchive(archive.path)
    case 'manifest':
      return new ManifestArchive(archive.path)
    case 'bucket':
      return new BucketArchive(config, archive.url)
    case 'topic':
      return new TopicArchive(config.kafka, archive)
  }
}
