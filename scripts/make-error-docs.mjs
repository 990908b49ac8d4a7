// Writes docs/errors.md from the table of failure codes: one heading a code. `--check` only compares.
import { failureClasses, failureCodes } from '../dist/schema/failure.js'
import { writeGenerated } from './generated-file.mjs'

const fates = {
  transient: 'tried again in place, with growing pauses; the document is lost only when every try failed',
  overload: 'tried again in place, with growing pauses',
  input: 'what was handed in is at fault, a document, a page or a setting: no second try, the rest goes on',
  model: 'tried once more; then only this page fails',
  resource: 'tried once more, alone; then only this page fails',
  'expired-claim': 'what the event refers to is gone: no second try, the document must be submitted again',
  bug: 'a fault of pagestream; never blamed on the document',
}

const codes = Object.entries(failureCodes)
const lines = [
  '# Errors',
  '',
  'Every failure has a code from this closed list. A document that fails says so in `document.json` (`failure`), on the command line and in the',
  'machine-readable progress (`--json`); a page that fails is listed in `pages` with its own `failure` while the other pages are read, and the',
  'document is then `partial`, never `complete`. Messages say what was being done and never hold text of the document. What a library or the operating',
  'system said word for word is printed to standard error when `NODE_DEBUG=pagestream` is set; that may hold paths and text.',
  '',
  '<!-- Generated from src/schema/failure.ts by scripts/make-error-docs.mjs. -->',
  '',
  '## Classes',
  '',
  'What happens next is decided by the class alone.',
  '',
  '| class | what happens | codes |',
  '| --- | --- | --- |',
  ...failureClasses.map((name) => {
    const own = codes.filter(([, entry]) => entry.class === name).map(([code]) => `[\`${code}\`](#${code})`)
    return `| \`${name}\` | ${fates[name]} | ${own.join(', ') || '–'} |`
  }),
  '',
  ...codes.flatMap(([code, entry]) => [`## ${code}`, '', `Class \`${entry.class}\`. ${entry.means}`, '', `**What to do:** ${entry.fix}`, '']),
]
writeGenerated('docs/errors.md', lines.join('\n'))
