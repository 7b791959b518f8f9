import * as v from 'valibot'
import { anyOf, closed } from '../../../scenario/schema/forms.js'
import { described, optional } from '../../../scenario/schema/parts.js'
import { template, textTemplate } from '../template-check.js'
import { PLACES } from '../template-places.js'

const streamEvent = closed('StreamEvent', {
  if: optional(
    anyOf(
      'expected a condition, or a list of conditions',
      textTemplate(PLACES.event),
      v.array(textTemplate(PLACES.event)),
    ),
    'A value that is neither missing nor null nor false; all values of a list. By default, the event is sent',
  ),
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
  created: optional(someEvents, 'The beginning of the stream: the task as it was at its creation'),
  started: optional(someEvents, 'The start of the task'),
  queued: optional(someEvents, 'The task waits, and its first log lines'),
  processing: optional(someEvents, 'The task runs, and each time that it has new log lines'),
  output: optional(someEvents, 'A part of the output: a piece of a text, or the URL of a file'),
  succeeded: optional(someEvents, 'The end of a success'),
  failed: optional(someEvents, 'The end of a failure'),
  canceled: optional(someEvents, 'The end of a canceled task'),
})

/** Which requests get a stream. */
export const streamIf = textTemplate(PLACES.request)

/** The number of the last event that a client has. */
export const resumeAfter = optional(
  textTemplate(PLACES.request),
  'The `{{sequence}}` of the last event that the client has, such as {{query.after}}; only later events are sent',
)
