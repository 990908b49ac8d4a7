// Builds the image without a Docker daemon and starts it: `node scripts/image-check.mjs [DEBIAN.tar]`, an archive that
// mmdebstrap has made before. Debian 12 as root with buildah and mmdebstrap; two to five minutes
// and 3 GB of disk for the time. The base images are stand-ins of Debian's packages with this machine's Node, npm and certificates: what is shown is that the
// steps of the Dockerfile work and what comes out of them, not what is in the real base images, and nothing of a GPU. Exit code 3 where a tool is missing.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pagestream-image-'))
const runtimeImage = 'localhost/debian-stand-in:12'
const nodeImage = 'localhost/node-stand-in:20'
const image = 'localhost/pagestream:check'

const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
const buildah = (...args) =>
  execFileSync('buildah', [...store, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 1024 ** 2 }).trim()

function expect(what, ok, said = '') {
  console.log(`${ok ? 'ok     ' : 'FAILED '} ${what}${said ? `: ${said}` : ''}`)
  if (!ok) process.exitCode = 1
}

function makeBases() {
  const given = process.argv[2]
  const archive = given ?? join(folder, 'debian.tar')
  const sources = '/etc/apt/sources.list.d/debian.sources'
  if (!given) execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', '--include=ca-certificates', 'bookworm', archive, sources])
  const base = buildah('from', 'scratch')
  buildah('add', base, archive, '/')
  buildah('commit', '--quiet', base, runtimeImage)
  const npm = dirname(dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())))
  buildah('copy', base, process.execPath, '/usr/local/bin/node')
  buildah('copy', base, npm, '/usr/local/lib/node_modules/npm')
  buildah('copy', base, '/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/certs/ca-certificates.crt')
  buildah('run', '--isolation', 'chroot', base, '--', 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm')
  buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', base)
  buildah('commit', '--quiet', base, nodeImage)
  buildah('rm', base)
}

function build() {
  const args = { NODE_IMAGE: nodeImage, RUNTIME_IMAGE: runtimeImage, VERSION: 'check' }
  const flags = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
  buildah('bud', '--quiet', '--pull-never', '--isolation', 'chroot', '--format', 'docker', ...flags, '-f', 'deploy/docker/Dockerfile', '-t', image, root)
}

/** Runs the image as user 1000 in its mounted root, which is only read but for an empty /tmp, with its entrypoint and environment as the first process. */
function start(mounted, config, args, { signalAfterMs } = {}) {
  const words = [...config.Entrypoint, ...args].map((word) => `'${word}'`).join(' ')
  const inside = [
    `mount --bind '${mounted}' '${mounted}' && mount -o remount,ro,bind '${mounted}'`,
    `mount -t tmpfs tmpfs '${mounted}/tmp' && mount -t proc proc '${mounted}/proc' && mount --bind /dev '${mounted}/dev'`,
    `cp '${root}samples/scan.pdf' '${mounted}/tmp/' && chmod 777 '${mounted}/tmp'`,
    `exec chroot --userspec=1000:1000 '${mounted}' env -i ${config.Env.map((each) => `'${each}'`).join(' ')} ${words}`,
  ].join(' && ')
  const timing = signalAfterMs === undefined ? {} : { timeout: signalAfterMs, killSignal: 'SIGTERM' }
  return spawnSync('unshare', ['--mount', '--pid', '--fork', '--kill-child=SIGTERM', 'sh', '-c', inside], { encoding: 'utf8', timeout: 120_000, ...timing })
}

function check() {
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', image)).OCIv1
  expect('user', config.User === '1000:1000', config.User)
  expect('entrypoint', config.Entrypoint.join(' ') === 'tini -- node /app/dist/bundle/cli.js', config.Entrypoint.join(' '))
  expect('version label', config.Labels['org.opencontainers.image.version'] === 'check')
  const container = buildah('from', '--pull-never', image)
  const mounted = buildah('mount', container)
  for (const name of ['proc', 'dev', 'tmp']) mkdirSync(join(mounted, name), { recursive: true })
  const size = execFileSync('du', ['-sm', join(mounted, 'app'), join(mounted, 'usr/local/bin')], { encoding: 'utf8' })
  console.log(size.replaceAll(mounted, '').trim())
  const setuid = execFileSync('find', [join(mounted, 'app'), '-perm', '/6000'], { encoding: 'utf8' }).trim()
  expect('no file of /app has more rights than its user', setuid === '')
  const sbom = JSON.parse(execFileSync('cat', [join(mounted, 'app/sbom.cdx.json')], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }))
  expect('bill of materials', sbom.bomFormat === 'CycloneDX' && sbom.components.length > 50, `${sbom.components.length} packages`)
  const parsed = start(mounted, config, ['parse', '/tmp/scan.pdf', '--out', '/tmp/out'])
  expect(
    'parses a scan as user 1000 on a root that is only read',
    parsed.status === 0,
    `exit code ${parsed.status}${parsed.status === 0 ? '' : `\n${parsed.stdout}${parsed.stderr}`}`,
  )
  const refused = start(mounted, { ...config, Entrypoint: ['node', '-e', 'process.exit(process.getuid() === 1000 ? 0 : 1)'] }, [])
  expect('user of the process', refused.status === 0)
  const writing = start(mounted, { ...config, Entrypoint: ['node', '-e', 'require(`fs`).writeFileSync(`/app/x`, ``)'] }, [])
  expect('cannot write outside of /tmp', writing.status === 1 && /EROFS|EACCES/.test(writing.stderr))
}

const missing = ['buildah', 'mmdebstrap', 'unshare'].filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
if (missing.length > 0 || process.getuid() !== 0) {
  console.error(`image check: needs root${missing.length > 0 ? ` and ${missing.join(', ')}` : ''}`)
  process.exitCode = 3
} else {
  try {
    makeBases()
    build()
    check()
  } finally {
    spawnSync('buildah', [...store, 'rm', '--all'])
    rmSync(folder, { recursive: true, force: true })
  }
}
