import type { Reply, Travel } from '../../http/exchange.js'

/** An answer as fetch gives it to the application, what a fault has done to it included. */
export async function toResponse(request: Request, reply: Reply): Promise<Response> {
  const { status, headers, body, travel } = reply
  if (travel !== undefined) return travelled(request, reply, travel)
  return new Response(request.method === 'HEAD' ? null : body, { status, headers })
}

async function travelled(request: Request, { status, headers }: Reply, travel: Travel): Promise<Response> {
  // A rejected resolver would make MSW print noise; an error is what an application sees after an abort as well.
  if ('hangs' in travel) await aborted(request.signal)
  if (!('pieces' in travel)) return Response.error()
  return new Response(
    request.method === 'HEAD'
      ? null
      : streamOf(travel.pieces, AbortSignal.any([request.signal, ...(travel.signal ? [travel.signal] : [])])),
    {
      status,
      headers,
    },
  )
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function streamOf(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const breakOff = () => {
        controller.error(signal.reason)
        iterator.return?.()
      }
      signal.addEventListener('abort', breakOff, { once: true })
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch {
        controller.error(new TypeError('terminated'))
      }
    },
    cancel() {
      // Not waited for: a slow body may be in the middle of a wait that ends with the clock alone.
      iterator.return?.()
    },
  })
}
