import * as v from 'valibot'
import { TASK_EVENTS } from '../../engine/webhooks/events/task-event.js'
import {
  anyObject,
  count,
  described,
  flag,
  list,
  listOf,
  number,
  record,
  shape,
  text,
  word,
} from './parts.js'

const headers = record(v.string(), 'Headers by name')

export const CodeSample = shape('Code that sends a request', {
  language: word(
    ['curl', 'typescript', 'python', 'sdk'],
    "The language; `sdk`: JavaScript with the service's official client",
  ),
  label: text('The name of the language or the package of the client', { examples: ['lumaai'] }),
  text: text('The code'),
})

export const ServiceRequest = shape('A request to a simulated service', {
  method: text('The HTTP method', { examples: ['POST'] }),
  url: text('The URL; only its path if there is no server and the dialect names no host', {
    format: 'uri-reference',
  }),
  headers: described(
    headers,
    'The headers. The API key is one that the simulator accepts, or `$API_KEY` if the scenario lists the keys',
  ),
  body: v.optional(anyObject('The JSON of the body')),
  text: v.optional(text('The body, if it is not a JSON object')),
  code: v.optional(list(CodeSample, 'Code that sends it, if the query asks for it')),
})

const INPUT_TYPES = ['text', 'number', 'boolean', 'choice'] as const

export const InputField = shape('A field that the models of a kind read', {
  name: text('The name in the input', { examples: ['duration'] }),
  type: word(INPUT_TYPES, 'The type of its value; `choice`: one of `values`'),
  values: v.optional(list(v.string(), 'The values to choose from')),
  min: v.optional(number('The smallest number')),
  max: v.optional(number('The largest number')),
  example: v.optional(text('A value to show as an example', { examples: ['1024x1024'] })),
})

export const InputProblem = shape('Why the service would reject the input', {
  field: text('The field', { examples: ['duration'] }),
  message: text('The reason, and what to write instead'),
})

export const WrittenRequest = shape('A request that creates a task, with all defaults', {
  dialect: text('The wire format', { examples: ['luma'] }),
  model: text('The model', { examples: ['ray-2'] }),
  kind: text('The kind of the model', { examples: ['video'] }),
  input: anyObject('The input of the task'),
  webhook_url: v.optional(text('The webhook URL of the task', { format: 'uri' })),
  request: described(ServiceRequest, 'The request, with its code'),
  kinds: list(v.string(), 'The kinds that the service creates'),
  models: list(v.string(), 'Models of this kind: those of the scenario, and usual ones of the service'),
  fields: list(InputField, 'The fields that models of this kind read'),
  omitted: list(
    v.string(),
    'The fields of the input that the request leaves out, because the wire format does not have them',
  ),
  has_webhook_url: flag('Whether a request of the service can have a webhook URL'),
  ended: v.optional(text('What has ended, or will, of the service that the request is for')),
  problem: v.optional(described(InputProblem, 'Why the service would reject the input')),
})

export const ServiceAnswer = shape('The answer of a simulated service', {
  status: count('The HTTP status'),
  headers,
  body: v.optional(text('The body')),
})

export const DialectEvent = shape('An event that a service sends', {
  event: word(TASK_EVENTS, 'The event, whatever the service calls it'),
  name: text("The service's name for it", { examples: ['completed'] }),
})

export const DialectCheck = shape('When, and against what, a dialect file was compared with the service', {
  on: text('The day', { format: 'date' }),
  client: v.optional(text('The official client and its version', { examples: ['lumaai 1.19.1'] })),
  document: v.optional(text('The URL of the description of the service', { format: 'uri' })),
})

export const EndedApi = shape('A part of a service that has ended, or will', {
  paths: v.optional(list(v.string(), 'The paths of its operations, which include the paths below them')),
  models: v.optional(list(v.string(), 'Its models, or patterns')),
  on: text('The day', { format: 'date' }),
  replaced_by: v.optional(text('What the service offers in its place')),
  still_served_by: v.optional(text('Others who serve the same format')),
  source: v.optional(text('The URL of a page that says so', { format: 'uri' })),
})

export const Dialect = shape('A wire format', {
  name: text('The name', { examples: ['luma'] }),
  events: list(DialectEvent, 'The events that the service sends; empty if it sends no webhooks'),
  signed: flag('Whether the service signs its webhooks'),
  urls: shape('The URLs of output files', {
    lifetime_ms: count('How long a URL is valid, in milliseconds'),
    renewed: flag('Whether a later answer has fresh URLs'),
  }),
  example: described(ServiceRequest, 'A request that creates a task'),
  checked: v.optional(
    described(DialectCheck, 'When, and against what, its file was compared with the service'),
  ),
  ended: list(EndedApi, 'The parts of the service that have ended, or will'),
})

export const DialectList = listOf(Dialect)
