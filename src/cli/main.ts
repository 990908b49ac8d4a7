import { preparePdfThread } from '../runtime/documents/pdf/pdf-thread.ts'

// The PDF engine starts while the rest of the program loads.
if (process.argv[2] === 'parse' && process.argv.some((argument) => /\.pdf$/i.test(argument))) preparePdfThread()

const done = import('./program.ts').then(({ runProgram }) => runProgram(process.argv))

/** A command other than `parse` runs too little of the code. */
export const warm = process.argv[2] === 'parse' ? done : undefined
