import { basename } from 'node:path/posix'
import { z } from 'zod'
import { PagestreamError } from '../../../../schema/failure.ts'
import { jsonOf } from './chat-chunk.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { HttpServer } from './http-server.ts'
import { refusalOf } from './refusal.ts'

const action = 'asking the engine for its models'
const timeoutMs = 30_000
const mostNamed = 5

const modelListSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

const listed = (ids: readonly string[]): string => `${ids.slice(0, mostNamed).join(', ')}${ids.length > mostNamed ? `, … (${ids.length})` : ''}`

const refused = (address: string, words: string): PagestreamError => new PagestreamError('engine-refused', `${action}: ${address} ${words}`)

function choose(address: string, ids: readonly string[], configured: string, isServed: boolean): string {
  const [only] = ids
  if (configured === '') {
    if (ids.length === 1 && only !== undefined) return only
    const words = ids.length === 0 ? 'has no model' : `has several models: ${listed(ids)}`
    throw refused(address, `${words}. Set vlm.engine.model to the one that is meant`)
  }
  if (isServed && !ids.includes(configured))
    throw refused(address, `has no model ${configured}, but ${listed(ids)}. Correct vlm.engine.model, or leave it empty`)
  return configured
}

/** The name that a server knows its model by. Rejects as `VlmEngine.start`, and with `engine-busy` while it is loading. */
export async function findModel(server: HttpServer, dialect: Dialect, configured: string, signal?: AbortSignal): Promise<string> {
  const answer = await server.getText(action, '/v1/models', timeoutMs, signal)
  const list = answer.status === 200 ? modelListSchema.safeParse(jsonOf(answer.body)) : undefined
  if (list?.success) {
    const ids = list.data.data.map(({ id }) => id)
    return choose(server.address, ids, configured, dialect.listsServedModel)
  }
  if (list !== undefined && !answer.contentType.includes('html'))
    throw refused(server.address, 'lists no models: it is no server of this protocol. Check vlm.engine.urls')
  throw refusalOf(action, { ...answer, address: server.address })
}

/** As in `vlm:<model>`: without the folders of a path, which are of the server's machine. */
export function shownModel(id: string): string {
  return id.startsWith('/') ? basename(id) : id
}

const slotsSchema = z.object({ total_slots: z.number().int().positive().max(65_536) })

/** Questions that the server works on at once; undefined where it does not say. */
export async function findSlots(server: HttpServer, signal?: AbortSignal): Promise<number | undefined> {
  const answer = await server.getText('asking the engine for its slots', '/props', timeoutMs, signal)
  const props = slotsSchema.safeParse(jsonOf(answer.body))
  return props.success ? props.data.total_slots : undefined
}
