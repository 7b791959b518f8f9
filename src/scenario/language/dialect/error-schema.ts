import { byName, closed } from '../schema/forms.js'
import { contentType, headerText, settableHeader } from '../schema/header-name.js'
import { described, integerFrom, optional, text, textLike } from '../schema/parts.js'
import { template, textTemplate } from './template-check.js'
import { PLACES } from './template-places.js'

const rejectedStatus = textLike(/^[1-5]\d\d$/, 'expected a status, such as 404')

/** How a service rejects a request. */
export const error = closed('ErrorForm', {
  body: described(template(PLACES.error), 'The body of a rejection'),
  by_code: optional(
    byName(
      text,
      closed('CodeForm', {
        status: optional(integerFrom(400, 599), 'Another status'),
        body: optional(template(PLACES.error), 'Fields to merge into the body, or another body'),
        headers: optional(byName(settableHeader, headerText), 'Further headers'),
      }),
    ),
    "Other statuses, bodies and headers, by tasksim's code, such as insufficient_credits",
  ),
  by_status: optional(byName(rejectedStatus, template(PLACES.error)), 'Other bodies, by status'),
  content_type: optional(contentType, 'The Content-Type of a rejection', 'application/json'),
  headers: optional(
    byName(settableHeader, textTemplate(PLACES.error)),
    'The headers of every rejection, such as one with the id of the request',
  ),
  types: optional(byName(rejectedStatus, text), 'The values of {{type}}, by status'),
})
