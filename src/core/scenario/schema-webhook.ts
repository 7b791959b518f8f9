import { z } from 'zod'
import { EVENT_NAMES, EVENTS } from '../webhook/event.js'
import { HTTP_URL_FORM, httpUrl } from '../webhook/http-url.js'
import {
  BODY_MISCHIEF,
  combined,
  contradictionIn,
  MISCHIEF_WORDS,
  type Mischief,
  type MischiefWord,
  readMischief,
  SIGNATURE_MISCHIEF,
} from '../webhook/mischief.js'
import { spread } from './schema-delay.js'
import { closed, duration, isPossible, oneOf, orElse, ruleName, textOf } from './schema-parts.js'
import { ofOccasion, ofTask, RAMP_HAS_NO_END, rampEnds } from './schema-when.js'
import { list } from './suggest.js'

const receiverUrl = textOf(httpUrl, `expected ${HTTP_URL_FORM}`)

const retries = z.array(duration).max(100).optional().meta({
  description: 'The waits before each further attempt',
})

/** One registered receiver, in full. */
export const receiver = closed({
  url: receiverUrl.meta({ description: 'Where webhooks go' }),
  secret: z.string().min(1).optional().meta({ description: 'Its own signing secret' }),
  previous_secret: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'What the mischief `previous_secret` signs with, for this receiver' }),
  events: z.array(oneOf(EVENT_NAMES)).min(1).optional().meta({ description: 'The events that it gets; all' }),
  retries,
  timeout: duration.optional().meta({ description: 'How long an attempt may take' }),
  ordered: z
    .boolean()
    .optional()
    .meta({ description: 'true: one event after the other, each when the one before it has ended' }),
})

/** A header of one's own: not one that says how the request itself is to be read. */
const SIGNATURE_HEADER =
  /^(?!(?:content-.*|transfer-encoding|connection|expect|host|user-agent|te|upgrade)$)[a-z0-9-]+$/i

const signature = closed({
  header: z
    .string()
    .regex(SIGNATURE_HEADER, {
      error: () => 'expected the name of a header that nothing else uses, such as X-Service-Signature',
    })
    .optional()
    .meta({ description: 'The header that carries it', default: 'X-Service-Signature' }),
  encoding: oneOf(['hex', 'base64'])
    .optional()
    .meta({ description: 'How the digest is written', default: 'hex' }),
  prefix: z
    .string()
    .regex(/^[\x20-\x7e]*$/)
    .optional()
    .meta({ description: 'Stands before the digest, such as sha256=', default: '' }),
})

const word = oneOf(Object.keys(MISCHIEF_WORDS) as MischiefWord[]).transform(
  (name) => readMischief(name) as Mischief,
)
const FORM = `expected ${list(Object.keys(MISCHIEF_WORDS))}, a list of them, or a mapping such as { delay: 30s }`

const mischief = orElse(
  FORM,
  word,
  z
    .array(word)
    .min(1)
    .transform((words, context): Mischief => {
      const mischief = combined(words)
      if (typeof mischief !== 'string') return mischief
      context.issues.push({ code: 'custom', input: words, message: mischief })
      return z.NEVER
    }),
  closed({
    duplicate: oneOf(['in_turn', 'at_once'])
      .optional()
      .meta({ description: 'The event comes twice: again when the first has ended, or at the same time' }),
    delay: spread.optional().meta({ description: 'How late the event is' }),
    timing: oneOf(['before_response', 'after_poll', 'out_of_order']).optional().meta({
      description:
        'When the event comes: before the create request is answered, after a poller has seen the end, after the next event',
    }),
    lost: z.literal(true).optional().meta({ description: 'The event never comes' }),
    body: oneOf(BODY_MISCHIEF).optional().meta({ description: 'What is done to the body' }),
    signature: oneOf(SIGNATURE_MISCHIEF).optional().meta({ description: 'What is done to the signature' }),
    attempts: oneOf(['first', 'all'])
      .optional()
      .meta({ description: 'Which attempts have a wrong body or signature', default: 'first' }),
  }).check(isPossible(contradictionIn)),
)

const mischiefRule = closed({
  name: ruleName,
  when: closed({
    receiver: z.string().optional().meta({ description: 'The URL; * stands for any characters' }),
    event: oneOf(EVENT_NAMES).optional().meta({ description: 'The event' }),
    ...ofTask,
    ...ofOccasion,
  })
    .refine(rampEnds, RAMP_HAS_NO_END)
    .optional()
    .meta({ description: 'All that is given must hold; nothing given matches every delivery' }),
  then: mischief.meta({ description: 'A word, a list of them, or a mapping' }),
})

/** How webhooks are signed and sent, and to whom. */
export const webhooks = closed({
  secret: z.string().min(1).optional().meta({
    description: 'The signing secret; --webhook-secret goes before it',
    default: 'whsec_local_signing_secret',
  }),
  previous_secret: z.string().min(1).optional().meta({
    description: 'What the mischief `previous_secret` signs with, as during a rotation',
    default: 'whsec_previous_signing_secret',
  }),
  receivers: z
    .array(orElse('expected a URL, or a mapping with a `url`', receiverUrl, receiver))
    .optional()
    .meta({
      description: 'Who gets the webhooks of every task: URLs, or mappings with settings of their own',
    }),
  timeout: duration.optional().meta({ description: 'How long an attempt may take', default: '15s' }),
  retries: retries.meta({ default: ['1s', '5s', '25s'] }),
  signature: signature.optional().meta({ description: 'How webhooks are signed' }),
  canceled_event: oneOf([EVENTS.canceled, 'task.cancelled', 'none']).optional().meta({
    description: 'What the event of a canceled task is called; `none` sends none',
    default: EVENTS.canceled,
  }),
  mischief: z
    .array(mischiefRule)
    .optional()
    .meta({ description: 'What goes wrong with deliveries; the first rule that holds decides' }),
})
