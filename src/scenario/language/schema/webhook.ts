import * as v from 'valibot'
import { list } from '../../../engine/suggest.js'
import { EVENT_NAMES, EVENTS } from '../../../engine/webhooks/event.js'
import { HTTP_URL_FORM, httpUrl } from '../../../engine/webhooks/http-url.js'
import {
  BODY_FAULTS,
  combined,
  contradictionIn,
  readWebhookFault,
  SIGNATURE_FAULTS,
  WEBHOOK_FAULT_WORDS,
  type WebhookFault,
  type WebhookFaultWord,
} from '../../../engine/webhooks/webhook-fault.js'
import { spread } from './delay.js'
import { closed, orElse } from './forms.js'
import {
  described,
  duration,
  isPossible,
  oneOf,
  optional,
  positiveDuration,
  readAs,
  ruleName,
  some,
  text,
  textLike,
  textOf,
  Unreadable,
  yes,
} from './parts.js'
import { ofOccasion, ofTask, rampEnds } from './when.js'

const receiverUrl = textOf(httpUrl, `expected ${HTTP_URL_FORM}`)

const retries = v.pipe(v.array(duration), v.maxLength(100))
const RETRIES = 'The waits before each further attempt'

/** One registered receiver, in full. */
export const receiver = closed('Receiver', {
  url: described(receiverUrl, 'Where webhooks go'),
  secret: optional(text, 'Its own signing secret'),
  previous_secret: optional(text, 'What the webhook fault `previous_secret` signs with, for this receiver'),
  events: optional(some(oneOf(EVENT_NAMES)), 'The events that it gets; all'),
  retries: optional(retries, RETRIES),
  timeout: optional(positiveDuration, 'How long an attempt may take'),
  ordered: optional(v.boolean(), 'true: one event after the other, each when the one before it has ended'),
})

/** Says how the request itself is to be read. */
const OF_REQUEST = /^(?:content-.*|transfer-encoding|connection|expect|host|user-agent|te|upgrade)$/i
const HEADER_FORM = 'expected the name of a header that nothing else uses, such as X-Service-Signature'
const header = v.pipe(
  textLike(/^[A-Za-z0-9-]+$/, HEADER_FORM),
  v.check((name) => !OF_REQUEST.test(name), HEADER_FORM),
)

const signature = closed('Signature', {
  header: optional(header, 'The header that carries it', 'X-Service-Signature'),
  encoding: optional(oneOf(['hex', 'base64']), 'How the digest is written', 'hex'),
  prefix: optional(
    textLike(/^[\x20-\x7e]*$/, 'expected printable ASCII'),
    'Stands before the digest, such as sha256=',
    '',
  ),
})

const word = v.pipe(
  oneOf(Object.keys(WEBHOOK_FAULT_WORDS) as WebhookFaultWord[]),
  v.transform((name) => readWebhookFault(name) as WebhookFault),
)
const FORM = `expected ${list(Object.keys(WEBHOOK_FAULT_WORDS))}, a list of them, or a mapping such as { delay: 30s }`

function together(words: readonly WebhookFault[]): WebhookFault | Unreadable {
  const fault = combined(words)
  return typeof fault === 'string' ? new Unreadable(fault) : fault
}

const fault = orElse(
  FORM,
  word,
  v.pipe(some(word), readAs(together)),
  v.pipe(
    closed('WebhookFault', {
      duplicate: optional(
        oneOf(['in_turn', 'at_once']),
        'The event comes twice: again when the first has ended, or at the same time',
      ),
      delay: optional(spread, 'How late the event is'),
      timing: optional(
        oneOf(['before_response', 'after_poll', 'out_of_order']),
        'When the event comes: before the create request is answered, after a poller has seen the end, after the next event',
      ),
      lost: optional(yes, 'The event never comes'),
      body: optional(oneOf(BODY_FAULTS), 'What is done to the body'),
      signature: optional(oneOf(SIGNATURE_FAULTS), 'What is done to the signature'),
      attempts: optional(oneOf(['first', 'all']), 'Which attempts have a wrong body or signature', 'first'),
    }),
    isPossible(contradictionIn),
  ),
)

const faultRule = closed('WebhookFaultRule', {
  name: ruleName,
  when: optional(
    v.pipe(
      closed('WebhookFaultConditions', {
        receiver: optional(v.string(), 'The URL; * stands for any characters'),
        event: optional(oneOf(EVENT_NAMES), 'The event'),
        ...ofTask,
        ...ofOccasion,
      }),
      rampEnds(),
    ),
    'All that is given must hold; nothing given matches every delivery',
  ),
  then: described(fault, 'A word, a list of them, or a mapping'),
})

/** How webhooks are signed and sent, and to whom. */
export const webhooks = closed('Webhooks', {
  secret: optional(text, 'The signing secret; --webhook-secret goes before it', 'whsec_local_signing_secret'),
  previous_secret: optional(
    text,
    'What the webhook fault `previous_secret` signs with, as during a rotation',
    'whsec_previous_signing_secret',
  ),
  receivers: optional(
    v.array(orElse('expected a URL, or a mapping with a `url`', receiverUrl, receiver)),
    'Who gets the webhooks of every task: URLs, or mappings with settings of their own',
  ),
  timeout: optional(positiveDuration, 'How long an attempt may take', '15s'),
  retries: optional(retries, RETRIES, ['1s', '5s', '25s']),
  honor_retry_after: optional(
    v.boolean(),
    'true: a retry waits at least as long as the receiver asks for by Retry-After, up to an hour',
    false,
  ),
  signature: optional(signature, 'How webhooks are signed'),
  canceled_event: optional(
    oneOf([EVENTS.canceled, 'task.cancelled', 'none']),
    'What the event of a canceled task is called; `none` sends none',
    EVENTS.canceled,
  ),
  faults: optional(v.array(faultRule), 'What goes wrong with deliveries; the first rule that holds decides'),
})
