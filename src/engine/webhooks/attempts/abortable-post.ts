import type { AttemptAbort } from './attempt-abort.js'
import type { Post } from './transport.js'

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
