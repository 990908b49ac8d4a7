// `pagestream worker --devices` with a stand-in for the worker. Arguments: the devices, the port.
import { fileURLToPath } from 'node:url'
import { reportFailure } from '../../dist/cli/report-failure.js'
import { runSupervisor } from '../../dist/cli/run-supervisor.js'

const [devices, port] = process.argv.slice(2)
const script = fileURLToPath(new URL('supervised-process.mjs', import.meta.url))
const restarts = { most: 5, withinMs: 60_000, firstMs: 20, longestMs: 50 }
process.exitCode = await runSupervisor({ stage: ['layout'], lane: 'both', port: Number(port) }, devices.split(','), { script, restarts }).catch(reportFailure)
