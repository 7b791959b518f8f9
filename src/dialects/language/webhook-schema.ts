import * as v from 'valibot'
import { suggest } from '../../engine/suggest.js'
import { anyOf, byName, closed, converted } from '../../scenario/schema/forms.js'
import { settableHeader } from '../../scenario/schema/names.js'
import {
  checkFields,
  described,
  oneOf,
  optional,
  positiveDuration,
  text,
} from '../../scenario/schema/parts.js'
import { CONTEXTS, headersTemplate, mappingTemplate, template, textTemplate } from './template-check.js'

const signature = anyOf(
  'expected `standard-webhooks`, or a mapping with a `header`',
  v.literal('standard-webhooks'),
  closed('DialectSignature', {
    header: described(settableHeader, 'The header of the signature'),
    algorithm: optional(
      oneOf(['hmac-sha256', 'secret', 'ed25519', 'rs256-jwt']),
      'The algorithm: `hmac-sha256` with the secret as its key, `secret` for the secret itself, or, with a key pair that the secret determines, `ed25519` or `rs256-jwt`, which signs `claims` as a JSON Web Token',
      'hmac-sha256',
    ),
    claims: optional(mappingTemplate(CONTEXTS.signature), 'The claims of the token of `rs256-jwt`'),
    over: optional(textTemplate(CONTEXTS.signature), 'The text to sign', '{{body}}'),
    encoding: optional(oneOf(['hex', 'base64']), 'The encoding of the signature', 'hex'),
    value: optional(textTemplate(CONTEXTS.signature), 'The value of the header', '{{signature}}'),
    headers: optional(
      byName(settableHeader, textTemplate(CONTEXTS.signature)),
      'Further headers of each attempt, such as one with `{{time}}`',
    ),
  }),
)

const retries = optional(v.array(positiveDuration), 'The waits before each further attempt')
const body = optional(template(CONTEXTS.webhook), 'The body. The default is that of all events')

const eventFields = { name: described(text, "The service's name for the event"), body, retries }
const eventForm = closed('DialectEvent', eventFields)
const repeatedForm = closed('RepeatedDialectEvent', {
  ...eventFields,
  every: optional(positiveDuration, 'The shortest interval between two such events of a task', '500ms'),
})

/** An event: its name, or a mapping. */
function eventOf(form: v.GenericSchema<unknown, v.InferOutput<typeof repeatedForm>>) {
  const byNameOnly = v.pipe(
    text,
    converted(form, (name) => ({ name })),
  )
  return anyOf('expected the name of the event, or a mapping with a `name`', byNameOnly, form)
}

const event = eventOf(eventForm)
const repeatedEvent = eventOf(repeatedForm)

const events = closed('DialectEvents', {
  queued: optional(event, 'The task was created, and waits for capacity'),
  started: optional(event, 'The task has started'),
  output: optional(repeatedEvent, 'The task has a new part of its output'),
  logs: optional(repeatedEvent, 'The task has new log lines'),
  succeeded: optional(event, 'The task has succeeded'),
  failed: optional(event, 'The task has failed'),
  canceled: optional(event, 'The task was canceled'),
})

const filter = closed('DialectEventFilter', {
  from: described(
    textTemplate(CONTEXTS.request),
    'Where a create request lists the names of the events that it asks for',
  ),
  default: optional(v.array(text), 'The names of the events without such a list. The default is all events'),
})

const condition = optional(
  textTemplate(CONTEXTS.condition),
  'Whether the service sends webhooks about a task: not if the value is missing, null or false',
)

/** The webhooks about tasks of another type. */
export const objectWebhook = closed('ObjectWebhook', {
  if: condition,
  events: described(events, 'The events that are sent: their names, or mappings with a `name`'),
  body: optional(template(CONTEXTS.webhook), 'The body. The default is the task'),
})

const fields = closed('DialectWebhook', {
  url: optional(
    textTemplate(CONTEXTS.request),
    'Where a create request holds the URL of the receiver. Without it, only the receivers of the scenario get webhooks',
  ),
  urls: optional(
    textTemplate(CONTEXTS.request),
    'Where a create request lists several receivers. `url` is then the place of the first one',
  ),
  replaces_registered: optional(
    v.boolean(),
    'Whether the receivers that a request names replace those that its client has registered',
    false,
  ),
  if: condition,
  events: described(events, 'The events that are sent: their names, or mappings with a `name`'),
  other_events: optional(
    v.array(text),
    'The names of events that receivers can register for, but that tasksim never sends',
  ),
  filter: optional(filter, 'The events that a request selects. The default is all events'),
  body: optional(template(CONTEXTS.webhook), 'The body. The default is the task'),
  headers: optional(headersTemplate(CONTEXTS.webhook), 'Further headers'),
  signature: optional(signature, 'How the body is signed. By default, it is not signed'),
  request_signature: optional(
    signature,
    'How the body is signed for the receivers that a request names. The default is `signature`',
  ),
  secret: optional(text, 'The signing secret'),
  retries: optional(v.array(positiveDuration), 'The waits before each further attempt. The default is none'),
  stop_on: optional(oneOf(['4xx']), 'The statuses that end the retries. The default is 410 only'),
  timeout: optional(positiveDuration, 'The timeout of an attempt', '15s'),
  honor_retry_after: optional(
    v.boolean(),
    'Whether a retry waits at least as long as the Retry-After header of the receiver requests, up to an hour',
    false,
  ),
})

/** How a service sends webhooks. */
export const webhook = v.pipe(
  fields,
  checkFields(({ events, filter }) => {
    const names = Object.values(events).flatMap((event) => event?.name ?? [])
    const unknown = filter?.default?.find((name) => !names.includes(name))
    return unknown === undefined
      ? undefined
      : `no event has the name ${JSON.stringify(unknown)} of \`default\`; ${suggest(unknown, names)}`
  }, 'filter'),
)
