import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { LONGEST_LOOP, LOOP_TIME } from '../../engine/requests/request-loops.js'
import { formatDuration, requestEvidence } from './evidence.js'
import type { Evidence } from './finding.js'

/**
 * Finds a loop that waits neither on the clock, which stands still, nor in real time.
 * @param requests equal requests of a client
 * @param what the requests in words, such as `polls`
 */
export function findLoop(requests: readonly AnsweredRequest[], what: string): Evidence | undefined {
  let first = 0
  for (const [index, { at, realAt }] of requests.entries()) {
    if (at !== requests[first]?.at) first = index
    const count = index - first + 1
    if (count < LONGEST_LOOP) continue
    const loop = requests.slice(first, index + 1)
    const took = realAt - (requests[first]?.realAt ?? realAt)
    if (took > LOOP_TIME) first += 1
    else
      return requestEvidence(
        loop as [AnsweredRequest, ...AnsweredRequest[]],
        `${count} ${what} came within ${formatDuration(took)} of real time, while the clock stood still: the client does not wait between them. In a test, its sleep function must advance the clock.`,
      )
  }
  return undefined
}
