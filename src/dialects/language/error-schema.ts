import * as v from 'valibot'
import { byName, closed, json } from '../../scenario/schema/forms.js'
import { contentType, headerText, settableHeader } from '../../scenario/schema/names.js'
import { described, integerFrom, optional, text, textLike } from '../../scenario/schema/parts.js'
import { CONTEXTS, template, textTemplate } from './template-check.js'

const rejectedStatus = textLike(/^[1-5]\d\d$/, 'expected a status, such as 404')

const errorType = v.pipe(
  json,
  v.check((value) => value !== null && !Array.isArray(value), 'expected a text, a number or a mapping'),
)

/** How a service rejects a request. */
export const error = closed('ErrorForm', {
  body: described(template(CONTEXTS.error), 'The body of a rejection'),
  by_code: optional(
    byName(
      text,
      closed('CodeForm', {
        status: optional(integerFrom(200, 599), 'Another status; some services reject with 200'),
        body: optional(template(CONTEXTS.error), 'Fields to merge into the body, or another body'),
        headers: optional(byName(settableHeader, headerText), 'Further headers'),
      }),
    ),
    "Other statuses, bodies and headers, by tasksim's code, such as insufficient_credits",
  ),
  by_status: optional(byName(rejectedStatus, template(CONTEXTS.error)), 'Other bodies, by status'),
  content_type: optional(contentType, 'The Content-Type of a rejection', 'application/json'),
  headers: optional(
    byName(settableHeader, textTemplate(CONTEXTS.error)),
    'The headers of every rejection, such as one with the id of the request',
  ),
  types: optional(
    byName(rejectedStatus, errorType),
    'The values of {{type}}, by status: a text, a number or a mapping. A status without one has that of 400, or from 500 on that of 500',
  ),
})
