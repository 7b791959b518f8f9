import type { Clock } from '../../clock/clock.js'
import { startTimer, stopwatch } from '../../clock/system-clock.js'
import { reasonOf } from '../../errors.js'
import { mergedHeaders } from '../../requests/headers.js'
import type { TraceContext } from '../../tracing.js'
import type { Answer, Attempt } from '../deliveries/delivery.js'
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

/**
 * Aborts an attempt, once. It is an `AbortController` that creates its signal only for a transport that reads it: a
 * signal costs more than the signature of a webhook, and most receivers in a test process ignore it.
 */
export class AttemptAbort {
  #controller: AbortController | undefined
  #reason: Error | undefined
  #listener: ((reason: Error) => void) | undefined

  /** Aborted with the attempt. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  /** Aborts the attempt, unless it is aborted already. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#listener?.(reason)
  }

  /** Sets the function to call with the reason of the abort; at once if the attempt is aborted already. */
  onAbort(listener: (reason: Error) => void): void {
    this.#listener = listener
    if (this.#reason !== undefined) listener(this.#reason)
  }
}
