import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startCluster } from '../../../src/demo/kafka/cluster.ts'

const exec = promisify(execFile)

/** Who may log in; each name's secret is different from all others. */
export const secrets = { admin: 'secret-of-admin-7f3a', reader: 'secret-of-reader-91bc' } as const

export interface SecuredBroker extends AsyncDisposable {
  /** No encryption, no login; whoever comes may do all. */
  readonly plaintext: string
  /** TLS with a certificate that only `caFile` vouches for, and only for the address 127.0.0.1. */
  readonly tls: string
  /** TLS and a login by any mechanism. */
  readonly login: string
  /** A login by PLAIN alone, without TLS. */
  readonly plainLogin: string
  readonly caFile: string
}

/** A broker with listeners of every kind and an authorizer: `admin` may do all, `reader` what rules allow. */
export async function startSecuredBroker(libs: string, folder: string): Promise<SecuredBroker> {
  const [plaintext, tls, login, plainLogin, controller] = await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort()])
  const store = join(folder, 'broker.p12')
  const named = ['-keystore', store, '-storepass', 'changeit', '-alias', 'broker']
  const certificate = ['-keyalg', 'RSA', '-dname', 'CN=broker', '-ext', 'san=ip:127.0.0.1', '-validity', '2', '-storetype', 'PKCS12']
  await exec('keytool', ['-genkeypair', ...named, ...certificate])
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, (await exec('keytool', ['-exportcert', '-rfc', ...named])).stdout)
  const listeners = { PLAINTEXT: plaintext, SSL: tls, SASL_SSL: login, SASL_PLAINTEXT: plainLogin }
  const urls = Object.entries(listeners).map(([name, port]) => `${name}://127.0.0.1:${port}`)
  const users = Object.entries(secrets).map(([name, secret]) => `user_${name}="${secret}"`)
  const jaas = (module: string, options = '') => `org.apache.kafka.common.security.${module} required ${options};`
  const plain = jaas('plain.PlainLoginModule', users.join(' '))
  const settings = {
    listeners: [...urls, `CONTROLLER://127.0.0.1:${controller}`].join(','),
    'advertised.listeners': urls.join(','),
    'listener.security.protocol.map': [...Object.keys(listeners).map((name) => `${name}:${name}`), 'CONTROLLER:PLAINTEXT'].join(','),
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': store,
    'ssl.keystore.password': 'changeit',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    'listener.name.sasl_plaintext.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.sasl_plaintext.plain.sasl.jaas.config': plain,
    'listener.name.sasl_ssl.plain.sasl.jaas.config': plain,
    'listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config': jaas('scram.ScramLoginModule'),
    'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config': jaas('scram.ScramLoginModule'),
    'listener.name.sasl_ssl.oauthbearer.sasl.jaas.config': jaas('oauthbearer.OAuthBearerLoginModule', 'unsecuredLoginStringClaim_sub="broker"'),
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS;User:admin',
  }
  const scram = Object.entries(secrets).flatMap(([name, secret]) =>
    ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${name},password=${secret}]`]),
  )
  const cluster = await startCluster(libs, 1, settings, scram)
  const at = (port: number) => `127.0.0.1:${port}`
  return {
    ...{ plaintext: at(plaintext), tls: at(tls), login: at(login), plainLogin: at(plainLogin), caFile },
    [Symbol.asyncDispose]: () => cluster.close(),
  }
}

/** An unsigned token for a name, as test brokers take them. */
export function tokenOf(name: string, lifeSeconds = 3600): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  return `${part({ alg: 'none' })}.${part({ sub: name, iat: now - 7200, exp: now + lifeSeconds })}.`
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('looking for a free port: there is none'))))
    })
  })
}
