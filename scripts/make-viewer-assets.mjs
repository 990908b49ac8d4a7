// Puts the style sheet and the script of the HTML viewer into a module, so that the code needs no files beside it. `--check` only compares.
import { readFileSync } from 'node:fs'
import { writeGenerated } from './generated-file.mjs'

const folder = 'src/stages/assemble/viewer'

/** The file as a template literal. What would need a backslash there is refused: the module stays as readable as the file. */
function literal(name) {
  const text = readFileSync(new URL(`../${folder}/browser/${name}`, import.meta.url), 'utf8')
  const trap = /\\|<\/(?:script|style)|<!--/i.exec(text)
  if (trap) throw new Error(`${name}: ${JSON.stringify(trap[0])} must not stand in an inlined file`)
  return `\`\n${text.replace(/`|\$\{/g, '\\$&')}\``
}

writeGenerated(
  `${folder}/viewer-assets.ts`,
  `// Generated from browser/viewer.css and browser/viewer.js by scripts/make-viewer-assets.mjs.

export const viewerStyle = ${literal('viewer.css')}

export const viewerScript = ${literal('viewer.js')}
`,
)
