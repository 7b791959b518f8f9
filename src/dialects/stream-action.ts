import type { JsonValue } from '../engine/json.js'
import type { LogLine } from '../engine/progress/log-lines.js'
import type { Task } from '../engine/tasks/task.js'
import type { Reply } from '../exchange/exchange.js'
import type { Call } from './call.js'
import type { TaskChecks } from './task-checks.js'

/** Streams events about the task in the path, such as the parts of its output as they get ready, and its end. */
export interface StreamAction extends TaskChecks {
  readonly operation: 'tasks.stream'
  /** Whether the id of the task is enough, without an API key. */
  readonly isPublic: boolean
  /** Whether it sends the parts of the output. */
  readonly hasParts: boolean
  /** Whether it sends the start of the task. */
  readonly hasStart: boolean
  /** Whether it sends a change of the state before the end. */
  readonly hasChanges: boolean
  /** Whether the client asked for new log lines. */
  hasLogs(call: Call): boolean
  /** Further headers of the answer. */
  headers(task: Task, call: Call): Readonly<Record<string, string>>
  /**
   * The number of the last event that the client has; -1 if it has none.
   * @throws Problem if the request contains something else
   */
  resumesAfter(call: Call): number
  /**
   * Writes the events about a moment, as they are sent. Events about the past are always the same.
   * @param sequence the number of events before them
   */
  write(moment: StreamMoment, sequence: number, call: Call): readonly string[]
}

/** Something that happens to a task: it was created, has started, has a part, shows a change, or has ended. */
export interface StreamMoment {
  readonly topic: 'created' | 'started' | 'part' | 'change' | 'end'
  /** The task as it was then. */
  readonly task: Task
  /** The progress at that time, if it is not that of now. */
  readonly progress?: number | undefined
  /** The part of the output: the URL of a file, or a piece of a text. */
  readonly part?: JsonValue | undefined
  /** The number of parts before this moment. */
  readonly index?: number | undefined
  /** The log lines that were not sent before. */
  readonly logs?: readonly LogLine[] | undefined
}

/** A stream that is the answer to some requests of an operation. */
export interface AskedStream {
  /** Whether a request asks for it. */
  isAsked(call: Call): boolean
  readonly action: StreamAction
}

/** Answers with the parts of the task's output in the path that no earlier answer contained, once there are some. */
export interface PartsAction {
  readonly operation: 'tasks.stream'
  /** How many milliseconds to hold the answer until there is a part or the task has ended. */
  wait(call: Call): number
  /** @param parts the URLs of files, or the pieces of a text */
  encode(task: Task, parts: readonly JsonValue[], call: Call): Reply
}
