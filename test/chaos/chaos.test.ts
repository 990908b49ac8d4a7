import { chaosDocuments } from './chaos-documents.ts'
import { describeChaos } from './chaos-suite.ts'

/** Kills, zombies, members that come and go, a store that fails, a broker that restarts. */
describeChaos('fault injection', { documents: chaosDocuments(), fixedSeeds: [2, 9, 25, 44], hasEngine: false })
