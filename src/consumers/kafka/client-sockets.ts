import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ISocketFactory } from 'kafkajs'

const keepAliveMs = 60_000

/**
 * Connections of one part of the client. After a broker has closed one, the client forgets the broker with all its connections, and those that
 * are open stay so, for ten minutes or as long as the broker wants, also after the part has disconnected: they keep a process that has done its work.
 */
export class ClientSockets {
  readonly #open = new Set<Socket>()
  #cut = false

  readonly make: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    const socket = ssl ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...ssl }, onConnect) : connect({ host, port }, onConnect)
    socket.setKeepAlive(true, keepAliveMs)
    this.#open.add(socket)
    if (this.#cut) socket.destroy(new Error('cut off'))
    socket.once('close', () => {
      this.#open.delete(socket)
      // The client lets go of a closed one again with each try to reach the broker; Node would keep a listener for each.
      socket.unref = () => socket
    })
    return socket
  }

  /** Ends what the client has forgotten. To be called when the part has disconnected. */
  readonly endAll = (): void => {
    for (const socket of this.#open) socket.end().unref()
  }

  /** Whatever the part is at, it reaches no broker any more. */
  readonly cutOff = (): void => {
    this.#cut = true
    for (const socket of this.#open) socket.destroy()
  }
}
