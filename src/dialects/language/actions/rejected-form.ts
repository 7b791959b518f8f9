import * as v from 'valibot'
import { anyOf, closed } from '../../../scenario/schema/forms.js'
import { described, integerFrom, optional, text } from '../../../scenario/schema/parts.js'
import { textTemplate } from '../template-check.js'
import { PLACES, type TemplatePlace } from '../template-places.js'

/**
 * The requests that a service rejects.
 * @param name the name of the type of one of them
 */
function rejected(place: TemplatePlace, name: string) {
  const form = closed(name, {
    if: described(
      anyOf(
        'expected a condition, or a list of conditions',
        textTemplate(place),
        v.array(textTemplate(place)),
      ),
      'The condition: a value that is neither missing nor null nor false. All conditions of a list must be true',
    ),
    message: described(textTemplate(place), 'The message of the rejection'),
    param: optional(text, 'The field or parameter that is wrong'),
    status: optional(integerFrom(400, 599), 'The status', 400),
    code: optional(text, 'The code in the words of the service, for `{{own_code}}` in `error`'),
  })
  return optional(v.array(form), 'Requests that the service rejects, in the order of its checks')
}

/** The create requests that a service rejects. */
export const rejectedOrders = rejected(PLACES.request, 'RejectedOrder')

/** The requests about a task that a service rejects. */
export const rejectedRequests = rejected(PLACES.check, 'RejectedForm')
