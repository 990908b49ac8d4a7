import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KafkaConfig, kafkaConfigSchema } from '../../src/config/kafka-config.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { reachCluster } from '../../src/consumers/kafka/reach-cluster.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { commandLine } from '../support/kafka/command-line.ts'
import { describeOwnBroker } from '../support/kafka/own-broker.ts'
import { type SecuredBroker, secrets, startSecuredBroker, tokenOf } from '../support/kafka/secured-broker.ts'

const wrong = { password: 'wrong-password-55d0', token: 'no-token-at-all-77ae' }

interface Listeners extends SecuredBroker {
  readonly http: string
  readonly mute: string
}

type Asked = Record<string, unknown>

describeOwnBroker('listeners that ask for TLS, a login and rights', (libs) => {
  const servers: Server[] = []
  let folder: string
  let at: Listeners
  const file = (name: string): string => join(folder, name)
  const tls = () => ({ enabled: true, caFile: at.caFile })
  const login = (mechanism: string, more: Asked = {}) => ({ mechanism, username: 'admin', passwordFile: file('password'), tokenFile: file('token'), ...more })
  const kafka = (broker: string, more: Asked = {}): KafkaConfig =>
    kafkaConfigSchema.parse({
      brokers: [broker],
      partitions: 1,
      connectTimeoutMs: 5000,
      maxWaitMs: 200,
      heartbeatIntervalMs: 500,
      sessionTimeoutMs: 6000,
      ...more,
    })

  const listen = (server: Server): Promise<string> => {
    servers.push(server)
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(`127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`)
      })
    })
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pagestream-test-'))
    const files = {
      password: secrets.admin,
      reader: secrets.reader,
      wrong: wrong.password,
      token: tokenOf('admin'),
      expired: tokenOf('admin', -60),
      junk: wrong.token,
    }
    for (const [name, text] of Object.entries(files)) await writeFile(file(name), `${text}\n`)
    const http = await listen(createHttpServer((_, response) => response.end('hello')))
    const mute = await listen(createServer(() => undefined))
    const broker = await startSecuredBroker(libs, folder)
    at = { ...broker, http, mute }
    await using admin = await TopicAdmin.connect(kafka(at.plaintext))
    await admin.apply()
    await admin.groupsAreServed()
  })
  afterAll(async () => {
    for (const server of servers) server.close()
    await at?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  it.each<[string, () => KafkaConfig]>([
    ['TLS', () => kafka(at.tls, { tls: tls() })],
    ['PLAIN', () => kafka(at.login, { tls: tls(), sasl: login('plain') })],
    ['SCRAM-SHA-256', () => kafka(at.login, { tls: tls(), sasl: login('scram-sha-256') })],
    ['SCRAM-SHA-512', () => kafka(at.login, { tls: tls(), sasl: login('scram-sha-512') })],
    ['a bearer token', () => kafka(at.login, { tls: tls(), sasl: login('oauthbearer') })],
    ['PLAIN without TLS', () => kafka(at.plainLogin, { sasl: login('plain') })],
  ])('lets in by %s', async (_, config) => {
    await reachCluster(config(), { topics: ['pagestream.documents.v1.live'] })
  })

  it.each<[string, string, RegExp, () => KafkaConfig]>([
    [
      'a wrong password by PLAIN',
      'kafka-refused',
      /authentication failed/,
      () => kafka(at.login, { tls: tls(), sasl: login('plain', { passwordFile: file('wrong') }) }),
    ],
    [
      'a wrong password by SCRAM',
      'kafka-refused',
      /authentication failed/,
      () => kafka(at.login, { tls: tls(), sasl: login('scram-sha-256', { passwordFile: file('wrong') }) }),
    ],
    ['an unknown user', 'kafka-refused', /authentication failed/, () => kafka(at.login, { tls: tls(), sasl: login('scram-sha-512', { username: 'nobody' }) })],
    ['an expired token', 'kafka-refused', /expired/, () => kafka(at.login, { tls: tls(), sasl: login('oauthbearer', { tokenFile: file('expired') }) })],
    ['what is no token', 'kafka-refused', /token/, () => kafka(at.login, { tls: tls(), sasl: login('oauthbearer', { tokenFile: file('junk') }) })],
    [
      'a token file that is not there',
      'configuration',
      /kafka\.sasl\.tokenFile/,
      () => kafka(at.login, { tls: tls(), sasl: login('oauthbearer', { tokenFile: file('none') }) }),
    ],
    ['a mechanism that it does not speak', 'kafka-refused', /UNSUPPORTED_SASL_MECHANISM/, () => kafka(at.plainLogin, { sasl: login('scram-sha-256') })],
    ['a login where none is asked for', 'kafka-refused', /ILLEGAL_SASL_STATE/, () => kafka(at.plaintext, { sasl: login('plain') })],
    ['no login where one is asked for', 'kafka-unreachable', /may ask for TLS or a login/, () => kafka(at.plainLogin)],
    ['a certificate that nobody vouches for', 'kafka-refused', /kafka\.tls\.caFile/, () => kafka(at.tls, { tls: { enabled: true } })],
    ['a certificate of another name', 'kafka-refused', /another name/, () => kafka(at.tls.replace('127.0.0.1', 'localhost'), { tls: tls() })],
    ['TLS where there is none', 'kafka-unreachable', /may not speak it/, () => kafka(at.plaintext, { tls: tls() })],
    ['no TLS where it is asked for', 'kafka-unreachable', /may ask for TLS or a login/, () => kafka(at.tls)],
    ['a web server', 'kafka-unreachable', /or it is none/, () => kafka(at.http)],
    ['a web server, by TLS', 'kafka-refused', /does not speak TLS/, () => kafka(at.http, { tls: tls() })],
    ['a server that never answers', 'kafka-unreachable', /no answer/, () => kafka(at.mute, { connectTimeoutMs: 500 })],
    ['a port where nobody listens', 'kafka-unreachable', /ECONNREFUSED/, () => kafka('127.0.0.1:1')],
    ['a host that does not exist', 'kafka-unreachable', /ENOTFOUND|EAI_AGAIN/, () => kafka('no-such-host.invalid:9092')],
  ])('says what is wrong with %s', async (_, code, message, config) => {
    const error: unknown = await reachCluster(config()).catch((refused: unknown) => refused)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    for (const secret of [...Object.values(secrets), ...Object.values(wrong)]) expect(JSON.stringify(error) + String(error)).not.toContain(secret)
  })

  /** The command line, with what it said on both outputs. */
  const cli = async (config: KafkaConfig, ...args: string[]) => {
    const base = { kafka: config, store: { url: pathToFileURL(join(folder, 'store')).href }, worker: { patienceMs: 0 } }
    const path = file('config.json')
    await writeFile(path, JSON.stringify(base))
    const { code, out, errors } = await commandLine(path)(...args).done
    return { code, said: out + errors }
  }

  it('ends a worker at once with one line, the remedy and exit code 2 for what cannot heal, 1 for what may', async () => {
    const refused = await cli(kafka(at.login, { tls: tls(), sasl: login('plain', { passwordFile: file('wrong') }) }), 'worker', '--stage', 'all')
    expect(refused.code).toBe(2)
    expect(refused.said.trim().split('\n')).toEqual([expect.stringContaining('kafka-refused'), expect.stringContaining('Check kafka.sasl')])
    const untrusted = await cli(kafka(at.tls, { tls: { enabled: true } }), 'worker', '--stage', 'all')
    expect(untrusted).toMatchObject({ code: 2, said: expect.stringContaining('kafka.tls.caFile') })
    const away = await cli(kafka('127.0.0.1:1'), 'worker', '--stage', 'all')
    expect(away).toMatchObject({ code: 1, said: expect.stringContaining('kafka-unreachable') })
  })

  it('says nowhere what it logs in with', async () => {
    const config = kafka(at.login, { tls: tls(), sasl: login('scram-sha-512') })
    for (const args of [['topics', 'plan'], ['topics', 'describe'], ['status'], ['dlq', 'list'], ['doctor']]) {
      const { said } = await cli(config, ...args)
      for (const secret of Object.values(secrets)) expect(said, args.join(' ')).not.toContain(secret)
    }
    const { said } = await cli(kafka(at.login, { tls: tls(), sasl: login('plain', { passwordFile: file('wrong') }) }), 'status')
    expect(said).not.toContain(wrong.password)
  })

  it('names the right that is missing, and works with those that docs/operations.md lists', async () => {
    const reader = kafka(at.login, { tls: tls(), sasl: login('plain', { username: 'reader', passwordFile: file('reader') }) })
    const worker = () => cli(reader, 'worker', '--stage', 'layout', '--lane', 'live')
    expect(await worker()).toMatchObject({ code: 2, said: expect.stringContaining('kafka-topic-missing') })
    const admin = kafkaClient(kafka(at.plaintext)).admin()
    await admin.connect()
    // As the client numbers them: topic 2, group 3; prefixed 4; read 3, write 4, describe 8; allow 3.
    const allow = (resourceType: 2 | 3, operation: 3 | 4 | 8) =>
      admin.createAcls({
        acl: [{ resourceType, resourceName: 'pagestream', resourcePatternType: 4, principal: 'User:reader', host: '*', operation, permissionType: 3 }],
      })
    await allow(2, 8)
    expect(await worker()).toMatchObject({ code: 2, said: expect.stringContaining('kafka-forbidden') })
    await allow(2, 3)
    await allow(2, 4)
    const groupless = await worker()
    expect(groupless).toMatchObject({ code: 2, said: expect.stringContaining('kafka-forbidden') })
    expect(groupless.said).not.toContain('ready:') // it has joined no group
    await allow(3, 3)
    await admin.disconnect()
    expect((await cli(reader, 'tail', 'documents', '--from', 'earliest', '--until-idle', '500')).code).toBe(0)
  })
})
