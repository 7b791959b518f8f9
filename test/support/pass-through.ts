import type { SetupServer } from 'msw/node'
import type { PassedExchange } from '../../src/record/recording/passed-exchange.js'

type Listener = (passed: PassedExchange) => void

/** The requests to an MSW server and its answers, as a proxy between it and its client would see them. */
export class PassingExchanges {
  readonly #now: () => number
  readonly #listener: Listener
  readonly #open = new Map<string, Promise<void>>()
  readonly #begun = new Map<
    string,
    { readonly at: number; readonly request: Promise<PassedExchange['request']> }
  >()
  readonly #cancels = new Set<() => void>()

  /** @param now the time of the service, in epoch milliseconds. Real time is added, which passes on any network */
  constructor(server: SetupServer, now: () => number, listener: Listener) {
    const begin = performance.now()
    this.#now = () => now() + performance.now() - begin
    this.#listener = listener
    server.events.on('request:start', ({ request, requestId }) => {
      this.#begun.set(requestId, { at: this.#now(), request: passedRequest(request.clone()) })
    })
    server.events.on('response:mocked', ({ response, requestId }) => {
      this.#open.set(requestId, this.#pass(requestId, response.clone()))
    })
  }

  /** Resolves when every exchange has passed. Streams that have not ended end now. */
  async settled(): Promise<void> {
    for (const cancel of this.#cancels) cancel()
    await Promise.all(this.#open.values())
  }

  async #pass(id: string, response: Response): Promise<void> {
    const begun = this.#begun.get(id)
    if (begun === undefined) return
    const { at } = begun
    const pieces: [number, string][] = []
    const body = response.type === 'error' ? undefined : await this.#read(response, at, pieces)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    const { status } = response
    this.#listener({
      at,
      took: this.#now() - at,
      isOwn: false,
      request: await begun.request,
      response: body && {
        status,
        headers: Object.fromEntries(response.headers),
        body,
        pieces: isStream ? pieces : undefined,
      },
    })
  }

  /** @returns undefined if the connection broke */
  async #read({ body }: Response, at: number, pieces: [number, string][]): Promise<Uint8Array | undefined> {
    const chunks: Uint8Array[] = []
    const reader = body?.getReader()
    const cancel = () => void reader?.cancel().catch(() => {})
    this.#cancels.add(cancel)
    const decoder = new TextDecoder()
    try {
      for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
        chunks.push(next.value)
        pieces.push([this.#now() - at, decoder.decode(next.value, { stream: true })])
      }
      return new Uint8Array(Buffer.concat(chunks))
    } catch {
      return undefined
    } finally {
      this.#cancels.delete(cancel)
    }
  }
}

async function passedRequest(request: Request): Promise<PassedExchange['request']> {
  const { method, url, headers } = request
  const body = new Uint8Array(await request.arrayBuffer().catch(() => new ArrayBuffer(0)))
  return { method, url, headers: Object.fromEntries(headers), body }
}

/** An exchange without a proxy: what a proxy would have seen. */
export async function passed(
  request: Request,
  response: Response,
  { at, took }: Pick<PassedExchange, 'at' | 'took'>,
): Promise<PassedExchange> {
  const body = response.type === 'error' ? undefined : await response.arrayBuffer().catch(() => undefined)
  return {
    at,
    took,
    isOwn: false,
    request: await passedRequest(request),
    response: body && {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(body),
    },
  }
}
