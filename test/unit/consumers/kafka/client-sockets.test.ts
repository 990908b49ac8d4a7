import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { ClientSockets } from '../../../../src/consumers/kafka/client-sockets.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** A connection as the client has it, and its other end. */
async function connected() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const sockets = new ClientSockets()
  // @ts-expect-error Without TLS the client gives none, whatever its types say.
  const socket = sockets.make({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ssl: undefined, onConnect: () => {} })
  const [peer] = await accepted
  cleanups.push(() => peer.destroy())
  return { sockets, socket, peer }
}

it('keeps no listener for each time that the client lets go of a connection that the broker has closed', async () => {
  const { socket, peer } = await connected()
  socket.resume()
  peer.end()
  await once(socket, 'close')
  for (let i = 0; i < 20; i++) socket.unref()
  expect(socket.listenerCount('connect')).toBe(0)
})

it('ends the connections that are still open', async () => {
  const { sockets, peer } = await connected()
  peer.resume()
  const ended = once(peer, 'end')
  sockets.endAll()
  await ended
})

it('lets a part that is cut off reach nobody any more', async () => {
  const { sockets, socket } = await connected()
  sockets.cutOff()
  await once(socket, 'close')
  // @ts-expect-error As above.
  const later = sockets.make({ host: '127.0.0.1', port: 9, ssl: undefined, onConnect: () => {} })
  const [error] = await once(later, 'error')
  expect(error.message).toBe('cut off')
})
