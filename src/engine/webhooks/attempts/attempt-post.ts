import type { Clock } from '../../clock/clock.js'
import { startTimer, stopwatch } from '../../clock/system-clock.js'
import { reasonOf } from '../../errors.js'
import type { TraceContext } from '../../tracing.js'
import type { Answer, Attempt } from '../deliveries/delivery.js'
import type { AttemptAbort } from './attempt-abort.js'
import { mergedHeaders } from './merged-headers.js'
import type { Post, Transport } from './transport.js'

/** The result of one POST: an answer, or the reason why there is none. */
export type AttemptResult = Pick<Attempt, 'startedAt' | 'took' | 'answer' | 'error'>

/** Real milliseconds in which a transport may still report its own error or a partial answer after an abort. */
const GRACE = 10

/**
 * Sends a POST and measures it. Never rejects.
 * @param abort ends the attempt, even if the transport ignores the signal
 */
export function attemptPost(
  transport: Transport,
  post: Post,
  abort: AttemptAbort,
  clock: Clock,
): Promise<AttemptResult> {
  const startedAt = clock.now()
  const begin = stopwatch()
  return new Promise((resolve) => {
    const end = (answer: Answer | undefined, error: string | undefined) =>
      resolve({ startedAt, took: stopwatch() - begin, answer, error })
    const fail = (error: unknown) => end(undefined, reasonOf(error))
    abort.onAbort((reason) => startTimer(GRACE, () => fail(reason), true))
    try {
      Promise.resolve(transport(post)).then((answer) => end(answer, undefined), fail)
    } catch (error) {
      fail(error)
    }
  })
}

/**
 * A POST that creates its signal only once a transport reads it.
 *
 * All posts share one getter: V8 describes the shape of an object anew for each getter, which costs more than the rest
 * of the POST. The property is the object's own, so that a transport can copy a post with `{ ...post }`.
 */
export class AbortablePost implements Post {
  declare readonly signal: AbortSignal
  readonly url: string
  readonly headers: Post['headers']
  readonly body: Post['body']
  readonly #abort: AttemptAbort

  constructor({ url, headers, body }: Omit<Post, 'signal'>, abort: AttemptAbort) {
    this.url = url
    this.headers = headers
    this.body = body
    this.#abort = abort
    Object.defineProperty(this, 'signal', AbortablePost.#signal)
  }

  static readonly #signal: PropertyDescriptor & ThisType<AbortablePost> = {
    enumerable: true,
    get() {
      return this.#abort.signal
    },
  }
}

/** Adds the headers that tell the receiver where a POST is in a trace. */
export function tracedPost(post: Post, trace: TraceContext | undefined): Post {
  if (trace === undefined) return post
  const { traceparent, tracestate } = trace
  const headers = { traceparent, ...(tracestate !== undefined && { tracestate }) }
  return { ...post, headers: mergedHeaders(post.headers, headers) }
}
