import type { Dispatcher } from 'undici'

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/** Hears an answer as it comes. What these throw ends the exchange and is what it rejects with. */
export interface ExchangeListener {
  head(status: number, contentType: string): void
  data(chunk: Buffer): void
}

/** The connection failed; `cause` says how. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super('the connection failed', { cause })
    this.name = 'NetworkError'
  }
}

export interface Exchange {
  /** Resolves at the end of the answer; rejects with a `NetworkError`, or with that of `end` or of the listener. */
  readonly done: Promise<void>
  /** Breaks the connection, which is what frees a server's slot, and settles `done`: with an error, or without. */
  end(error?: Error): void
}

const contentTypeOf = (header: string | string[] | undefined): string => (Array.isArray(header) ? header.join() : (header ?? '')).toLowerCase()

/** One request and its answer, without a time limit of its own. */
export function openExchange(dispatcher: Dispatcher, request: ExchangeRequest, listener: ExchangeListener): Exchange {
  let controller: Dispatcher.DispatchController | undefined
  let settle: ((error?: Error) => void) | undefined
  const done = new Promise<void>((resolve, reject) => {
    settle = (error) => {
      settle = undefined
      if (error === undefined) resolve()
      else reject(error)
    }
  })
  const end = (error?: Error) => {
    if (settle === undefined) return
    settle(error)
    controller?.abort(error ?? new Error('enough was heard'))
  }
  const hear = (act: () => void) => {
    if (settle === undefined) return
    try {
      act()
    } catch (error) {
      end(error instanceof Error ? error : new Error('the listener failed'))
    }
  }
  dispatcher.dispatch(
    {
      method: request.method,
      path: request.path,
      headers: { ...request.headers, ...(request.body && { 'content-length': `${request.body.byteLength}` }) },
      body: request.body ?? null,
    },
    {
      onRequestStart: (started) => {
        controller = started
        if (settle === undefined) started.abort(new Error('given up before it began'))
      },
      onResponseStart: (_, status, headers) => {
        if (status >= 200) hear(() => listener.head(status, contentTypeOf(headers['content-type'])))
      },
      onResponseData: (_, chunk) => hear(() => listener.data(chunk)),
      onResponseEnd: () => settle?.(),
      onResponseError: (_, error) => settle?.(new NetworkError(error)),
    },
  )
  return { done, end }
}
