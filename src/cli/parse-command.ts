import { Command, InvalidArgumentError, Option } from 'commander'
import { parsePageRanges } from '../parse/page-ranges.ts'

/** What the command line hands over. */
export interface ParseFlags {
  readonly out: string
  readonly format?: string[]
  readonly pages?: number[]
  readonly ocr?: string
  readonly password?: string
  readonly workers?: number
  readonly images: boolean
  readonly config?: string
  readonly json?: boolean
  readonly again?: boolean
}

export function parseCommand(): Command {
  return new Command('parse')
    .description('Read documents and write their blocks, text and chunks.')
    .argument('<input...>', 'files, folders, globs, or - for standard input')
    .requiredOption('-o, --out <dir>', 'folder for the results, one folder a document')
    .option('-f, --format <list>', 'comma-separated: json, md, blocks, chunks, html, mineru, or all (default: json,md,blocks,chunks)', list)
    .option('-p, --pages <ranges>', 'pages to read, from 1: 1,3-5,10-', ranges)
    .addOption(new Option('--ocr <mode>', 'read the picture of a page: when needed, for every page, or never').choices(['auto', 'always', 'never']))
    .option('--password <password>', 'opens encrypted documents')
    .option('-w, --workers <n>', 'worker threads for each pool (default: number of processors)', count)
    .option('--no-images', 'do not cut figures out as image files')
    .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
    .option('--again', 'read documents again that are done')
    .option('--json', 'progress and results as JSON lines on standard output')
    .addHelpText(
      'after',
      `
Examples:
  pagestream parse paper.pdf --out results
  pagestream parse scans/ 'mail/**/*.tif' --out results --format md,chunks
  pagestream parse book.pdf --out results --pages 1-20 --format all
  pagestream parse letter.pdf --out results --password secret
  cat paper.pdf | pagestream parse - --out results --json

A second run on the same output folder passes over documents that are done and resumes the others by page.
Exit codes: 0 all good, 1 some documents failed, 2 usage or configuration, 130 interrupted.`,
    )
    .action(async (inputs: string[], flags: ParseFlags) => {
      const { runParse } = await import('./run-parse.ts')
      process.exitCode = await runParse(inputs, flags)
    })
}

const list = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function ranges(value: string): number[] {
  try {
    return parsePageRanges(value)
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}

function count(value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0 || number > 256) throw new InvalidArgumentError('expected a whole number from 0 to 256')
  return number
}
