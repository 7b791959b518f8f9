import * as v from 'valibot'
import { FINDING_IDS } from '../../inspect/findings/ids.js'
import { byKind } from './by-kind.js'
import { closed } from './forms.js'
import { duration, integerFrom, oneOf, optional, share } from './parts.js'

/** The rules to skip, and the thresholds of the others. */
export const findings = closed('Findings', {
  ignore: optional(v.array(oneOf(FINDING_IDS)), 'The rules to skip'),
  thresholds: optional(
    closed('Thresholds', {
      poll_interval: optional(
        byKind('PollIntervals', duration),
        'The shortest allowed interval between polls, by kind of task',
      ),
      tolerance: optional(share, 'How early polls and retries may come, as a share of the interval, 0 to 1'),
      fast_polls: optional(
        integerFrom(1),
        'How many polls of one task must be too fast before they count as a mistake',
      ),
      polls_after_end: optional(integerFrom(0), 'The allowed number of consecutive polls of a finished task'),
      longest_wait: optional(duration, 'How long after its creation a client may poll a task'),
      failed_polls: optional(
        integerFrom(1),
        'The number of consecutive failed polls after which a client may give up, if they took 5 seconds or more',
      ),
      retry_within: optional(
        duration,
        'The time after the end of a request within which an identical one counts as a retry',
      ),
      silence: optional(duration, 'The time after which an omission of the client counts as a mistake'),
      downloads: optional(integerFrom(0), 'The number of times that a client may download the same file'),
      webhook_answer: optional(duration, 'The real time in which a receiver must acknowledge a webhook'),
    }),
    'The limits above which behavior counts as a mistake',
  ),
})
