import type { KafkaConfig } from '../config/kafka-config.ts'
import type { BackfillSpec } from '../schema/backfill.ts'
import type { ArchiveSource } from './archive-source.ts'
import { FolderArchive } from './folder-archive.ts'
import { ManifestArchive } from './manifest-archive.ts'
import { TopicArchive } from './topic-archive.ts'

export function openArchive(archive: BackfillSpec['archive'], kafka: KafkaConfig): ArchiveSource {
  switch (archive.kind) {
    case 'folder':
      return new FolderArchive(archive.path)
    case 'manifest':
      return new ManifestArchive(archive.path)
    case 'topic':
      return new TopicArchive(kafka, archive)
  }
}
