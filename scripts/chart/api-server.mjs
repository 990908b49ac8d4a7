// An API server of Kubernetes with etcd, on free ports of this machine, for as long as a script runs.
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const fixtures = fileURLToPath(new URL('../../test/fixtures/kubernetes', import.meta.url))
const startMs = 120_000

/** Where objects of a kind are made. */
const plurals = { NetworkPolicy: 'networkpolicies', PriorityClass: 'priorityclasses' }
const ofCluster = new Set(['PriorityClass'])

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

function background(folder, program, args) {
  const log = openSync(join(folder, `${program.split('/').at(-1)}.log`), 'a')
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', log, log] })
  const ended = new Promise((resolve) => {
    child.once('exit', resolve)
    child.once('error', resolve)
  })
  return { child, ended }
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
const condition = (type) => ({ type, status: 'True', lastProbeTime: now(), lastTransitionTime: now(), reason: 'Ended', message: 'ended' })
const completeJob = () => ({ startTime: now(), completionTime: now(), succeeded: 1, ...conditions('SuccessCriteriaMet', 'Complete') })
const failedJob = () => ({ startTime: now(), failed: 1, ...conditions('FailureTarget', 'Failed') })
const conditions = (...types) => ({ conditions: types.map(condition) })

export class ApiServer {
  #processes
  #port
  #token
  kubeconfig

  constructor(processes, port, token, kubeconfig) {
    this.#processes = processes
    this.#port = port
    this.#token = token
    this.kubeconfig = kubeconfig
  }

  /** Ready to take objects, with the definitions of KEDA and the Prometheus operator. */
  static async start(folder, program) {
    const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
    const token = randomUUID()
    writeFileSync(join(folder, 'sa.key'), generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }), {
      mode: 0o600,
    })
    writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 })
    mkdirSync(join(folder, 'certs'))
    const [at, peerAt] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
    const etcd = background(folder, 'etcd', [
      ...['--data-dir', 'etcd', '--unsafe-no-fsync', '--listen-client-urls', at, '--advertise-client-urls', at],
      ...['--listen-peer-urls', peerAt, '--initial-advertise-peer-urls', peerAt, '--initial-cluster', `default=${peerAt}`],
    ])
    const api = background(folder, program, [
      ...[`--etcd-servers=${at}`, '--bind-address=127.0.0.1', '--advertise-address=127.0.0.1', `--secure-port=${port}`, '--cert-dir=certs'],
      ...['--service-cluster-ip-range=10.0.0.0/24', '--service-account-issuer=https://kubernetes.local', '--service-account-key-file=sa.key'],
      ...['--service-account-signing-key-file=sa.key', '--token-auth-file=tokens.csv', '--authorization-mode=AlwaysAllow'],
      ...['--endpoint-reconciler-type=none', '--disable-admission-plugins=ServiceAccount'],
    ])
    const kubeconfig = join(folder, 'kubeconfig.json')
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'here' },
        clusters: [{ name: 'here', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
        users: [{ name: 'admin', user: { token } }],
        contexts: [{ name: 'here', context: { cluster: 'here', user: 'admin' } }],
      }),
      { mode: 0o600 },
    )
    const server = new ApiServer([api, etcd], port, token, kubeconfig)
    try {
      await server.#ready(folder)
      await server.#prepare()
    } catch (error) {
      await server.stop()
      throw error
    }
    return server
  }

  async #ready(folder) {
    const until = performance.now() + startMs
    while (performance.now() < until) {
      const answer = await this.#ask('GET', '/readyz').catch(() => undefined)
      if (answer?.status === 200) return
      await pause(250)
    }
    throw new Error(`the API server is not ready after ${startMs / 1000} s: ${readFileSync(join(folder, 'kube-apiserver.log'), 'utf8').slice(-2000)}`)
  }

  async #prepare() {
    await this.#must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'reading' } })
    const definitions = readdirSync(fixtures).filter((name) => /^[a-z]+\..*_.*\.json$/.test(name))
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    for (const name of definitions) await this.#must('POST', path, JSON.parse(readFileSync(join(fixtures, name), 'utf8')))
    const until = performance.now() + startMs
    for (const name of definitions) {
      const own = `${path}/${JSON.parse(readFileSync(join(fixtures, name), 'utf8')).metadata.name}`
      const isEstablished = async () =>
        ((await this.#must('GET', own)).status?.conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True')
      while (!(await isEstablished())) {
        if (performance.now() > until) throw new Error(`${name} is not established`)
        await pause(100)
      }
    }
  }

  /** What the server would refuse in an object, unknown keys too; undefined where it takes it. Nothing is made. */
  async dryRun(manifest, namespace) {
    const { apiVersion, kind } = manifest
    const plural = plurals[kind] ?? `${kind.toLowerCase()}s`
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const place = ofCluster.has(kind) ? group : `${group}/namespaces/${namespace}`
    const { status, body } = await this.#ask('POST', `${place}/${plural}?dryRun=All&fieldValidation=Strict`, manifest)
    return status === 201 ? undefined : `${status}: ${body.message ?? JSON.stringify(body)}`
  }

  async list(path) {
    return (await this.#must('GET', path)).items
  }

  async #must(method, path, object) {
    const { status, body } = await this.#ask(method, path, object)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${body.message ?? ''}`)
    return body
  }

  /** Its certificate is its own, made at start. */
  #ask(method, path, object) {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
      const asked = request({ host: '127.0.0.1', port: this.#port, path, method, headers, rejectUnauthorized: false, timeout: 30_000 }, (answer) => {
        const chunks = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const isJson = answer.headers['content-type']?.includes('json')
          resolve({ status: answer.statusCode, body: isJson ? JSON.parse(text) : { message: text } })
        })
      })
      asked.once('timeout', () => asked.destroy(new Error('it does not answer')))
      asked.once('error', reject)
      asked.end(object ? JSON.stringify(object) : undefined)
    })
  }

  /**
   * Stands in for scheduler, kubelet and the controller of Jobs: Jobs and Pods end well as soon as they are there, in the order in which they came.
   * What it holds in `ended` are their names; `fail` names Jobs that fail. Ends with the signal.
   */
  async completeAll(namespace, signal, { ended, fail = [] }) {
    const base = { jobs: `/apis/batch/v1/namespaces/${namespace}/jobs`, pods: `/api/v1/namespaces/${namespace}/pods` }
    while (!signal.aborted) {
      for (const job of await this.list(base.jobs)) {
        if (job.status?.completionTime || job.status?.conditions) continue
        ended.push(job.metadata.name)
        await this.#setStatus(base.jobs, job, fail.includes(job.metadata.name) ? failedJob() : completeJob())
      }
      for (const pod of await this.list(base.pods)) {
        if (pod.status?.phase === 'Succeeded') continue
        ended.push(pod.metadata.name)
        await this.#setStatus(base.pods, pod, { ...pod.status, phase: 'Succeeded' })
      }
      await pause(50)
    }
  }

  /** What is deleted meanwhile needs no status. */
  async #setStatus(path, object, status) {
    const { status: code, body } = await this.#ask('PUT', `${path}/${object.metadata.name}/status`, { ...object, status })
    if (code >= 300 && code !== 404 && code !== 409) throw new Error(`the status of ${object.metadata.name}: ${code} ${body.message}`)
  }

  async stop() {
    for (const { child, ended } of this.#processes) {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(late)
    }
  }
}
