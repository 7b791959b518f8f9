import * as v from 'valibot'
import { closed } from '../../schema/forms.js'
import { oneOf, optional, text } from '../../schema/parts.js'
import { mappingTemplate, template, textTemplate } from '../template-check.js'
import { PLACES } from '../template-places.js'
import { object, pageSize, status } from './answer-fields.js'

const listFilters = closed('ListFilters', {
  status: optional(text, 'The query parameter with a word of a state'),
  model: optional(text, 'The query parameter with a model'),
  day: optional(text, 'The query parameter with the day of the creation in UTC, such as 2026-01-31'),
  queued_only: optional(
    text,
    'The query parameter that is `true` for queued tasks only, whatever the state that the request asks for',
  ),
})

/** The actions on several tasks, and on none. */
export const GROUP_FORMS = {
  list: closed('ListOperation', {
    action: v.literal('list'),
    object,
    status,
    answer: template(PLACES.page),
    item: optional(
      mappingTemplate(PLACES.answer),
      'A task in the list. The default is the task as in other answers',
    ),
    limit: pageSize,
    offset: optional(text, 'The query parameter with the number of tasks to skip'),
    after: optional(text, 'The query parameter with the id of the last task of the previous page'),
    before: optional(
      text,
      'The query parameter with the id of the first task of a page, which requests newer tasks. It may be that of `after`',
    ),
    order: optional(
      text,
      'The query parameter that is `asc` for the oldest task first, or `desc`, which is the default',
    ),
    filters: optional(listFilters, 'The query parameters that select tasks'),
  }),
  count: closed('CountOperation', {
    action: v.literal('count'),
    status,
    answer: template(PLACES.count),
    model: optional(textTemplate(PLACES.request), 'The model of the tasks. The default is any model'),
  }),
  cancel_queued: closed('CancelQueuedOperation', {
    action: v.literal('cancel_queued'),
    status,
    answer: template(PLACES.canceled),
    model: optional(textTemplate(PLACES.request), 'The model of the tasks. The default is any model'),
  }),
  fixed: closed('FixedOperation', {
    action: v.literal('fixed'),
    status,
    key: optional(oneOf(['none']), '`none` if the request needs no API key'),
    by: optional(
      textTemplate(PLACES.request),
      'The name of the field of `answer` to return. If there is no such field, the answer is a 404. The default is the whole `answer`',
    ),
    answer: template(PLACES.fixed),
  }),
}
