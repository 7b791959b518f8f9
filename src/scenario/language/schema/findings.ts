import * as v from 'valibot'
import { FINDING_IDS } from '../../../inspect/findings/ids.js'
import { closed } from './forms.js'
import { duration, oneOf, optional, share, wholeFrom } from './parts.js'

/** Which rules are not looked at, and from where on something counts as a mistake. */
export const findings = closed('Findings', {
  ignore: optional(v.array(oneOf(FINDING_IDS)), 'The rules that are not looked at'),
  thresholds: optional(
    closed('Thresholds', {
      poll_interval: optional(
        closed('PollIntervals', {
          image: optional(duration, 'Of a picture', '1s'),
          video: optional(duration, 'Of a video', '3s'),
          audio: optional(duration, 'Of a sound', '1s'),
          tool: optional(duration, "Of a tool's task", '1s'),
          llm: optional(duration, 'Of a chat', '1s'),
        }),
        'The shortest time between two polls of a task, by its kind',
      ),
      tolerance: optional(share, 'The share by which a client may be faster than it should, 0 to 1', 0.1),
      fast_polls: optional(wholeFrom(1), 'How many polls of a task must be too fast', 3),
      polls_after_end: optional(wholeFrom(0), 'How many looks at a finished task in a row are fine', 2),
      longest_wait: optional(duration, 'How long after its creation a task may still be polled', '1h'),
      failed_polls: optional(wholeFrom(1), 'After how many failed polls in a row a task may be given up', 3),
      retry_within: optional(duration, 'Within which time the same request is a repetition', '60s'),
      silence: optional(
        duration,
        'How long nothing must have come until nothing is expected any more',
        '60s',
      ),
      downloads: optional(wholeFrom(0), 'How often the same file may be downloaded', 5),
      webhook_answer: optional(duration, 'How long a receiver may take to acknowledge a webhook', '5s'),
    }),
    'From where on something counts as a mistake',
  ),
})
