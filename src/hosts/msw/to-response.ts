import type { Reply, Transmission } from '../../http/exchange/exchange.js'
import { LiveBody } from './live-body.js'
import { WholeBody } from './whole-body.js'

/** Converts a reply to a fetch response, including its faults. */
export async function toResponse(request: Request, reply: Reply): Promise<Response> {
  const { status, headers, body, transmission } = reply
  if (transmission !== undefined) return transmitted(request, reply, transmission)
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  return new Response(status >= 400 && body !== undefined ? new WholeBody(body) : body, { status, headers })
}

async function transmitted(
  request: Request,
  { status, headers }: Reply,
  transmission: Transmission,
): Promise<Response> {
  // Resolve even after an abort: MSW would log a rejection, and the application gets the same error either way.
  if ('hangs' in transmission) await aborted(request.signal)
  if (!('pieces' in transmission)) return Response.error()
  return new Response(
    request.method === 'HEAD'
      ? null
      : streamOf(
          transmission.pieces,
          AbortSignal.any([request.signal, ...(transmission.signal ? [transmission.signal] : [])]),
        ),
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

function streamOf(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): LiveBody {
  const iterator = pieces[Symbol.asyncIterator]()
  // Not awaited: a slow body may be waiting for the simulator's clock.
  const leave = () => void iterator.return?.()
  return new LiveBody(
    {
      start(controller) {
        const fail = () => {
          controller.error(signal.reason)
          leave()
        }
        signal.addEventListener('abort', fail, { once: true })
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
    },
    leave,
  )
}
