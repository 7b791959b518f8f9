import * as v from 'valibot'
import { STATUSES } from '../../engine/tasks/task.js'
import { DELIVERY_STATES } from '../../engine/webhooks/deliveries/delivery.js'
import { ENTRY_TYPES } from '../../inspect/journal/entry.js'
import { entryCursor, instantText, limitUpTo, oneOf, statusText } from './input-parts.js'
import { optional, shape } from './parts.js'

const page = {
  limit: optional(limitUpTo(1_000), 'The maximum number of items'),
  after: optional(v.string(), 'The `next_cursor` of the previous page'),
}

export const TaskQuery = shape('Conditions on tasks; all tasks by default', {
  status: optional(oneOf(STATUSES), 'Only tasks with this status'),
  model: optional(v.string(), 'Only tasks of this model'),
  kind: optional(v.string(), 'Only tasks of this kind'),
  dialect: optional(v.string(), 'Only tasks that were created in this wire format'),
  key: optional(v.string(), 'Only tasks of this API key, in full or masked'),
  text: optional(v.string(), 'Only tasks that contain this text in their id, model, input or error'),
  ...page,
})

const requestConditions = {
  task: optional(v.string(), 'Only entries about the task with this id'),
  key: optional(v.string(), 'Only requests and tasks with this API key, in full or masked'),
  operation: optional(v.string(), 'Only requests for this operation, such as `tasks.create`'),
  dialect: optional(v.string(), 'Only requests in this wire format'),
  status: optional(
    statusText,
    'Only requests whose response arrived with this status, or one of this class; `lost`: it did not arrive as a whole; `refused`: `4xx`, `5xx` or `lost`',
    { examples: [404, 'refused'] },
  ),
  text: optional(
    v.string(),
    'Only requests that contain each of these words in their id, path, query, key, reason or bodies',
  ),
  since: optional(instantText, 'Only entries from this instant on'),
  until: optional(instantText, 'Only entries up to this instant'),
}

export const JournalQuery = shape('Conditions on journal entries; all entries by default', {
  type: optional(oneOf(ENTRY_TYPES), 'Only entries of this type'),
  ...requestConditions,
  ...page,
  after: optional(entryCursor, 'The `next_cursor` of the previous page'),
})

export const RequestQuery = shape('Conditions on requests; all requests by default', requestConditions)

export const DeliveryQuery = shape('Conditions on deliveries; all deliveries by default', {
  task: optional(v.string(), 'Only deliveries for the task with this id'),
  receiver: optional(v.string(), 'Only deliveries to this receiver, by id or URL'),
  state: optional(oneOf(DELIVERY_STATES), 'Only deliveries in this state'),
  ...page,
})

export const CodeQuery = shape('What to add to a request', {
  code: optional(
    oneOf(['true', 'false']),
    '`true` adds the same request as a curl command, in TypeScript, in Python and, if there is one, with the official client',
  ),
})
