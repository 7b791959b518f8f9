import type { Clock } from '../clock/clock.js'
import { startTimer, stopwatch } from '../clock/system-clock.js'
import { reasonOf } from '../errors.js'
import type { Attempt } from './delivery.js'
import type { Post, Transport } from './transport.js'

/** The result of one POST: an answer, or the reason why there is none. */
export type AttemptResult = Pick<Attempt, 'startedAt' | 'took' | 'answer' | 'error'>

/** Sends a POST and measures it. Never rejects. */
export async function attemptPost(transport: Transport, post: Post, clock: Clock): Promise<AttemptResult> {
  const startedAt = clock.now()
  const begin = stopwatch()
  try {
    const answer = await Promise.race([transport(post), rejectOnAbort(post.signal)])
    return { startedAt, took: stopwatch() - begin, answer, error: undefined }
  } catch (error) {
    return { startedAt, took: stopwatch() - begin, answer: undefined, error: reasonOf(error) }
  }
}

/** Real milliseconds in which a transport may still report its own error or a partial answer after an abort. */
const GRACE = 10

/** Rejects after an abort, for a transport that ignores its signal. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => startTimer(GRACE, () => reject(signal.reason), true), {
      once: true,
    }),
  )
}
