// Removes the native files of other platforms from an installation: `node scripts/keep-platform.mjs [FOLDER]`. ONNX Runtime ships those of all platforms
// in one package; what else is native comes as one package a platform, of which npm installs the right one.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const binaries = join(process.argv[2] ?? '.', 'node_modules/onnxruntime-node/bin/napi-v6')

if (!existsSync(join(binaries, process.platform, process.arch))) throw new Error(`${binaries} has nothing for ${process.platform}-${process.arch}`)
for (const platform of readdirSync(binaries)) {
  for (const arch of readdirSync(join(binaries, platform))) {
    if (platform !== process.platform || arch !== process.arch) rmSync(join(binaries, platform, arch), { recursive: true })
  }
  if (platform !== process.platform) rmSync(join(binaries, platform), { recursive: true })
}
