import * as v from 'valibot'
import { anyOf, closed } from '../../schema/forms.js'
import { described, oneOf, optional } from '../../schema/parts.js'
import { template, textTemplate } from '../template-check.js'
import { PLACES } from '../template-places.js'
import { logsIf, milliseconds, object, status } from './answer-fields.js'

const streamEvent = closed('StreamEvent', {
  event: optional(textTemplate(PLACES.event), 'The type of the event'),
  id: optional(textTemplate(PLACES.event), 'The id of the event'),
  data: described(template(PLACES.event), 'The data: JSON, unless it is a text'),
})
const someEvents = anyOf(
  'expected an event with `data`, or a list of events',
  v.array(streamEvent),
  streamEvent,
)

/** The events of a stream, by what has happened. */
export const streamEvents = closed('StreamEvents', {
  queued: optional(someEvents, 'The task waits, and its first log lines'),
  processing: optional(someEvents, 'The task runs, and each time that it has new log lines'),
  output: optional(someEvents, 'A part of the output: a piece of a text, or the URL of a file'),
  succeeded: optional(someEvents, 'The end of a success'),
  failed: optional(someEvents, 'The end of a failure'),
  canceled: optional(someEvents, 'The end of a canceled task'),
})

/** The actions that send the parts of an output as they get ready. */
export const PART_FORMS = {
  stream: closed('StreamOperation', {
    action: v.literal('stream'),
    object,
    key: optional(oneOf(['none']), '`none` if the id of the task is enough, without an API key'),
    events: described(streamEvents, 'The server-sent events'),
    logs_if: logsIf,
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
