import { request } from 'node:http'
import { dockerHostOfEnvironment } from '../../config/places.ts'

const answerMs = 2000
const defaultSocket = '/var/run/docker.sock'

/** Where an engine is asked: `unix:///path` or `tcp://host:port`; others, such as ssh, are not looked at. */
function doorOf(host: string): { socketPath: string } | { host: string; port: number } | undefined {
  if (host === '') return { socketPath: defaultSocket }
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) }
  const url = host.startsWith('tcp://') && URL.canParse(host) ? new URL(host) : undefined
  return url && { host: url.hostname, port: Number(url.port || 2375) }
}

/** Whether a Docker engine answers, at `DOCKER_HOST` or its usual socket. Asked by hand: the library that starts containers is large. */
export async function dockerAnswers(host = dockerHostOfEnvironment()): Promise<boolean> {
  const door = doorOf(host)
  if (!door) return false
  return new Promise((resolve) => {
    const ping = request({ ...door, path: '/_ping', timeout: answerMs }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.end()
  })
}
