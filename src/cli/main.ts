#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { preparePdfThread } from '../runtime/documents/pdf/pdf-thread.ts'

// The engine's functions are checked when they are first called: most never are, and the file is our own.
setFlagsFromString('--wasm-lazy-validation')
// The PDF engine starts while the rest of the program loads.
if (process.argv[2] === 'parse' && process.argv.some((argument) => /\.pdf$/i.test(argument))) preparePdfThread()

const { runProgram } = await import('./program.ts')
await runProgram(process.argv)
