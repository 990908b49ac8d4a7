import { describeChaos } from './chaos-suite.ts'
import { scannedDocuments } from './scanned-documents.ts'

/** The same while a model reads, and an engine that hangs, breaks off, is busy, slow or started anew. */
describeChaos('fault injection with a model', { documents: scannedDocuments(), fixedSeeds: [1, 2, 3], hasEngine: true })
