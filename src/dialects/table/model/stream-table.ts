import type { Status } from '../../../engine/tasks/task.js'
import type { Template, TextTemplate } from '../template/template.js'
import type { RejectedForm } from './shared-forms.js'

/** Streams the parts of an output, and its end, as server-sent events. */
export interface StreamTable {
  readonly action: 'stream'
  /** `none` if the id of the task is enough, without an API key. */
  readonly key?: 'none' | undefined
  readonly events: StreamEvents
  /** Whether new log lines are sent: a value that must be true; by default, they are. */
  readonly logs_if?: TextTemplate | undefined
  /** The requests that the service rejects. */
  readonly reject?: readonly RejectedForm[] | undefined
  /** The number of the last event that the client has. */
  readonly resume_after?: TextTemplate | undefined
}

/** The events of a stream, by what has happened. */
export type StreamEvents = {
  readonly [Topic in Status | 'created' | 'started' | 'output']?:
    | StreamEvent
    | readonly StreamEvent[]
    | undefined
}

/** A server-sent event. */
export interface StreamEvent {
  /** A value that is neither missing nor null nor false; of a list, all values. By default, the event is sent. */
  readonly if?: TextTemplate | readonly TextTemplate[] | undefined
  readonly event?: TextTemplate | undefined
  readonly id?: TextTemplate | undefined
  /** JSON, unless it is a text. */
  readonly data: Template
}

/** Answers with the parts of an output that no earlier answer contained. */
export interface PartsTable {
  readonly action: 'parts'
  readonly status?: number | undefined
  readonly answer: Template
  /** One part in `{{parts}}`; the part itself by default. */
  readonly part?: Template | undefined
  /** How many milliseconds to wait for a part, or the end of the task. */
  readonly wait: TextTemplate | number
}
