import * as v from 'valibot'
import { TASK_EVENTS } from '../../engine/webhooks/task-event.js'
import { anyObject, count, described, flag, list, listOf, record, shape, text, word } from './parts.js'

const headers = record(v.string(), 'Headers by name')

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

export const Dialect = shape('A wire format', {
  name: text('The name', { examples: ['luma'] }),
  events: list(DialectEvent, 'The events that the service sends; empty if it sends no webhooks'),
  signed: flag('Whether the service signs its webhooks'),
  example: described(ServiceRequest, 'A request that creates a task'),
})

export const DialectList = listOf(Dialect)
