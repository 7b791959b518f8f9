import * as v from 'valibot'
import { writeDuration } from '../../engine/clock/durations.js'
import { FINDING_IDS } from '../../inspect/findings/ids.js'
import { byKind } from './by-kind.js'
import { closed } from './forms.js'
import { duration, integerFrom, oneOf, optional, setting, share } from './parts.js'

/** The rules to skip, and the thresholds of the others. */
export const findings = closed('Findings', {
  ignore: setting(v.array(oneOf(FINDING_IDS)), [], 'The rules to skip'),
  // The service recommends the poll intervals. The other thresholds tolerate cautious clients.
  thresholds: optional(
    closed('Thresholds', {
      poll_interval: optional(
        byKind('PollIntervals', duration, ({ pollInterval, models }) =>
          setting(duration, writeDuration(pollInterval), models),
        ),
        'The shortest allowed interval between polls, by kind of task',
      ),
      tolerance: setting(
        share,
        0.1,
        'How early polls and retries may come, as a share of the interval, 0 to 1',
      ),
      fast_polls: setting(
        integerFrom(1),
        3,
        'How many polls of one task must be too fast before they count as a mistake',
      ),
      polls_after_end: setting(
        integerFrom(0),
        2,
        'The allowed number of consecutive polls of a finished task',
      ),
      longest_wait: setting(duration, '1h', 'How long after its creation a client may poll a task'),
      failed_polls: setting(
        integerFrom(1),
        3,
        'The number of consecutive failed polls after which a client may give up, if they took 5 seconds or more',
      ),
      retry_within: setting(
        duration,
        '1m',
        'The time after the end of a request within which an identical one counts as a retry',
      ),
      silence: setting(duration, '1m', 'The time after which an omission of the client counts as a mistake'),
      downloads: setting(integerFrom(0), 5, 'The number of times that a client may download the same file'),
      webhook_answer: setting(duration, '5s', 'The real time in which a receiver must acknowledge a webhook'),
    }),
    'The limits above which behavior counts as a mistake',
  ),
})
