import { readFileSync } from 'node:fs'
import type { KafkaConfig as ClientConfig, Mechanism, SASLOptions } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import { bearerLogin } from './bearer-login.ts'

/**
 * What the client is told of the brokers and how to prove who we are. Secrets are read from files, so that they stand in no
 * configuration, environment or process list. Throws `configuration` for a file that cannot be read or a half-given identity.
 */
export function clientSettings(kafka: KafkaConfig): ClientConfig {
  if (kafka.brokers.length === 0) throw new PagestreamError('configuration', 'connecting to Kafka: kafka.brokers names no broker')
  const sasl = saslOptions(kafka.sasl)
  return {
    brokers: [...kafka.brokers],
    clientId: kafka.clientId,
    connectionTimeout: kafka.connectTimeoutMs,
    authenticationTimeout: kafka.connectTimeoutMs,
    ...(kafka.tls.enabled && { ssl: tlsOptions(kafka.tls) }),
    ...(sasl && { sasl }),
  }
}

function tlsOptions({ caFile, certFile, keyFile }: KafkaConfig['tls']) {
  return {
    ...(caFile !== '' && { ca: [secret(caFile, 'kafka.tls.caFile')] }),
    ...(certFile !== '' && { cert: secret(certFile, 'kafka.tls.certFile') }),
    ...(keyFile !== '' && { key: secret(keyFile, 'kafka.tls.keyFile') }),
  }
}

function saslOptions({ mechanism, username, passwordFile, tokenFile }: KafkaConfig['sasl']): SASLOptions | Mechanism | undefined {
  switch (mechanism) {
    case 'none':
      return undefined
    case 'oauthbearer':
      // Read anew each time: whoever mints the tokens replaces the file before one expires.
      return bearerLogin(() => secret(tokenFile, 'kafka.sasl.tokenFile'))
    default:
      if (username === '') throw new PagestreamError('configuration', `connecting to Kafka: kafka.sasl.mechanism ${mechanism} needs kafka.sasl.username`)
      return passwordLogin(mechanism, username, secret(passwordFile, 'kafka.sasl.passwordFile'))
  }
}

const passwordLogin = (mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512', username: string, password: string): SASLOptions => ({
  ...{ mechanism, username, password },
})

function secret(path: string, key: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new PagestreamError('configuration', `connecting to Kafka: the file of ${key} cannot be read`)
  }
}
