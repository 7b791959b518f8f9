import * as v from 'valibot'
import { closed } from '../../schema/forms.js'
import { described, oneOf, optional } from '../../schema/parts.js'
import { template } from '../template-check.js'
import { PLACES } from '../template-places.js'
import { logsIf, milliseconds, object, status } from './answer-fields.js'
import { rejectedRequests } from './rejected-form.js'
import { resumeAfter, streamEvents } from './stream-fields.js'

/** The actions that send the parts of an output as they get ready. */
export const PART_FORMS = {
  stream: closed('StreamOperation', {
    action: v.literal('stream'),
    object,
    key: optional(oneOf(['none']), '`none` if the id of the task is enough, without an API key'),
    events: described(streamEvents, 'The server-sent events'),
    logs_if: logsIf,
    resume_after: resumeAfter,
    reject: rejectedRequests,
  }),
  parts: closed('PartsOperation', {
    action: v.literal('parts'),
    object,
    status,
    answer: template(PLACES.parts),
    part: optional(template(PLACES.part), 'One part in {{parts}}. The default is {{part}}'),
    wait: described(milliseconds, 'How many milliseconds to hold the answer until there is a part'),
  }),
}
