import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { commandLine } from '../support/kafka/command-line.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { lockedPdf } from '../support/locked-pdf.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

/** Each is what no one may read in a log. */
const secrets = {
  saslPassword: 'mark-of-the-sasl-password',
  saslToken: 'mark-of-the-sasl-token',
  tlsKey: 'mark-of-the-tls-key',
  documentPassword: 'mark-of-a-document-password',
  accessKey: 'mark-of-the-access-key',
  secretKey: 'mark-of-the-secret-key',
  sessionToken: 'mark-of-the-session-token',
  urlPassword: 'mark-of-a-password-in-a-url',
  urlParameter: 'mark-of-a-parameter-of-a-url',
  inConfig: 'mark-of-a-secret-in-the-configuration',
} as const

const env = { AWS_ACCESS_KEY_ID: secrets.accessKey, AWS_SECRET_ACCESS_KEY: secrets.secretKey, AWS_SESSION_TOKEN: secrets.sessionToken }
const login = `someone:${secrets.urlPassword}@`

type Keys = Record<string, unknown>

const kafka = testKafkaConfig({ connectTimeoutMs: 3000 })

let folder: string
let server: Server
/** A store that lets nobody in and repeats what it was sent. */
let storeAddress: string

beforeEach(async () => {
  folder = await tempFolder()
  const files = {
    password: secrets.saslPassword,
    token: secrets.saslToken,
    key: `-----BEGIN PRIVATE KEY-----\n${secrets.tlsKey}\n-----END PRIVATE KEY-----`,
    'a.pdf': tinyPdf([{ content: show('A line', 72, 700) }]),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  server = createServer((request, response) => response.writeHead(403).end(JSON.stringify([request.url, request.headers])))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  storeAddress = `127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`
})
afterEach(() => void server.close())

const inFolder = (name: string): string => join(folder, name)

/** Runs the commands with a configuration and expects of each one of the exit codes, what it is about, and no secret anywhere. */
async function saysNoSecret(config: Keys | string, commands: readonly string[][], codes: readonly number[], about: RegExp): Promise<void> {
  const file = inFolder('config.json')
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config))
  const pagestream = commandLine(file, env)
  for (const args of commands) {
    const { code, out, errors } = await pagestream(...args).done
    const said = `${out}\n${errors}`
    for (const secret of Object.values(secrets)) expect(said, args[0]).not.toContain(secret)
    expect(codes, `${args.join(' ')}: ${said}`).toContain(code)
    expect(said, args.join(' ')).toMatch(about)
  }
}

const base = (): Keys => ({
  kafka,
  store: { url: pathToFileURL(inFolder('store')).href },
  worker: { patienceMs: 0 },
  inputs: { hosts: ['files.invalid'] },
})

const commands = (): string[][] => [
  ['topics', 'plan'],
  ['worker', '--stage', 'all'],
  ['submit', inFolder('a.pdf')],
  ['tail', 'documents', '--from', 'earliest', '--until-idle', '500'],
  ['status'],
  ['dlq', 'list'],
  ['backfill', 'run', folder, '--run', 'a'],
]

describeKafka('secrets', () => {
  beforeAll(async () => {
    await using admin = await TopicAdmin.connect(kafka)
    await admin.apply()
  })

  it('stand in no help', async () => {
    const names = ['parse', 'submit', 'worker', 'topics', 'tail', 'status', 'store', 'dlq', 'backfill', 'doctor', 'models']
    const config = { ...base(), kafka: { sasl: { mechanism: 'plain', username: 'someone', passwordFile: inFolder('password') } } }
    await saysNoSecret(
      config,
      names.map((name) => [name, '--help']),
      [0],
      /Usage: pagestream/,
    )
  })

  it.each<[string, Keys | string]>([
    ['that is no JSON', `{ "kafka": { "sasl": { "passwordFile": ${secrets.inConfig} } } }`],
    ['that ends too early', `{ "kafka": { "sasl": { "passwordFile": "${secrets.inConfig}`],
    ['that holds a password itself', { kafka: { sasl: { password: secrets.inConfig } } }],
    ['with a password in place of a mechanism', { kafka: { sasl: { mechanism: secrets.inConfig } } }],
    ['with a password in place of an object', { kafka: { sasl: secrets.inConfig }, store: secrets.inConfig }],
    ['with a password in the address of a broker', { kafka: { brokers: [`kafka://${login}127.0.0.1:9092`] } }],
    ['with an endpoint that is no URL', { store: { url: 's3://bucket', endpoint: `${login}127.0.0.1` } }],
  ])('are not quoted from a configuration %s', async (_, config) => {
    await saysNoSecret(config, [['status'], ['doctor', '--out', inFolder('out')]], [1, 2], /configuration/)
  })

  it.each<[string, RegExp, () => Keys]>([
    ['takes no password', /kafka-refused/, () => ({ sasl: { mechanism: 'plain', username: 'someone', passwordFile: inFolder('password') } })],
    ['takes no token', /kafka-refused/, () => ({ sasl: { mechanism: 'oauthbearer', tokenFile: inFolder('token') } })],
    ['is not there', /kafka-unreachable/, () => ({ brokers: ['127.0.0.1:1'], sasl: { mechanism: 'oauthbearer', tokenFile: inFolder('token') } })],
    ['is offered what is no key', /kafka-|configuration/, () => ({ tls: { enabled: true, certFile: inFolder('key'), keyFile: inFolder('key') } })],
  ])(
    'are not told when a broker %s',
    async (_, about, more) => {
      await saysNoSecret({ ...base(), kafka: { ...kafka, ...more() } }, commands(), [1, 2], about)
    },
    180_000,
  )

  it.each<[string, RegExp, () => Keys]>([
    ['lets nobody in', /store-refused/, () => ({ url: `s3://${login}bucket/prefix`, endpoint: `http://${login}${storeAddress}` })],
    ['is not there', /store-failed/, () => ({ url: 's3://bucket/prefix', endpoint: `http://${login}127.0.0.1:1` })],
    ['is of a kind that there is not', /configuration/, () => ({ url: `https://${login}127.0.0.1/bucket` })],
    ['begins with its password', /configuration/, () => ({ url: `${secrets.inConfig}:x@bucket` })],
    ['is a folder of another machine', /configuration/, () => ({ url: `file://${login}127.0.0.1/srv` })],
    ['is misspelt', /configuration/, () => ({ url: `s3://${login}bucket/%` })],
  ])(
    'are not told when a store %s',
    async (_, about, store) => {
      const some = commands().filter(([name]) => name !== 'topics' && name !== 'tail' && name !== 'status')
      await saysNoSecret(
        { ...base(), store: { region: 'us-east-1', pathStyle: true, ...store() } },
        [...some, ['store', 'gc', '--older-than', '30']],
        [1, 2],
        about,
      )
    },
    180_000,
  )

  it('are not told of a document that they do not open', async () => {
    await writeFile(inFolder('locked.pdf'), await lockedPdf('another', 'A line'))
    const parse = ['parse', inFolder('locked.pdf'), '--out', inFolder('out'), '--password', secrets.documentPassword]
    await saysNoSecret(base(), [parse, [...parse, '--json']], [1], /password-wrong/)
  })

  it('are not repeated from what a command is given', async () => {
    const url = `https://${login}files.invalid/a.pdf?token=${secrets.urlParameter}`
    const bare = `https://files.invalid/a.pdf?token=${secrets.urlParameter}`
    const slash = `https://someone:${secrets.urlPassword}/more@files.invalid/a.pdf`
    const given = [url, bare, slash, `s3://${login}bucket/a.pdf`, `ftp://${login}files.invalid/a.pdf`]
    await saysNoSecret(
      base(),
      [
        ['submit', ...given],
        ['submit', '--json', ...given],
        ['submit', '--by-reference', ...given],
      ],
      [1, 2],
      /refused/,
    )
    await saysNoSecret(
      base(),
      [
        ['parse', ...given, '--out', inFolder('out')],
        ['parse', ...given, '--out', inFolder('out'), '--json'],
      ],
      [1, 2],
      /document-/,
    )
    await saysNoSecret(
      base(),
      given.flatMap((one) => [
        ['backfill', 'run', one],
        ['backfill', 'plan', one],
      ]),
      [1, 2],
      /./,
    )
  }, 180_000)
})
