import type { Clock } from '../../clock/clock.js'
import { startTimer, stopwatch } from '../../clock/system-clock.js'
import { reasonOf } from '../../errors.js'
import type { Answer, Attempt } from '../deliveries/delivery.js'
import type { AttemptAbort } from './attempt-abort.js'
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
