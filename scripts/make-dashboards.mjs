// Writes grafana/dashboards from their descriptions in scripts/dashboards. `--check` only compares.
import { backfill } from './dashboards/backfill.mjs'
import { buildDashboard } from './dashboards/build-dashboard.mjs'
import { gpu } from './dashboards/gpu.mjs'
import { kafka } from './dashboards/kafka.mjs'
import { overview } from './dashboards/overview.mjs'
import { reliability } from './dashboards/reliability.mjs'
import { stage } from './dashboards/stage.mjs'
import { writeGenerated } from './generated-file.mjs'

for (const [name, dashboard] of Object.entries({ overview, stage, gpu, kafka, backfill, reliability })) {
  writeGenerated(`grafana/dashboards/${name}.json`, `${JSON.stringify(buildDashboard(dashboard), null, 2)}\n`)
}
