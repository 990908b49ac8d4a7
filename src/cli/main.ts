#!/usr/bin/env node
import { preparePdfThread } from '../runtime/documents/pdf/pdf-thread.ts'

// The PDF engine starts while the rest of the program loads.
if (process.argv[2] === 'parse' && process.argv.some((argument) => /\.pdf$/i.test(argument))) preparePdfThread()

const { runProgram } = await import('./program.ts')
await runProgram(process.argv)
