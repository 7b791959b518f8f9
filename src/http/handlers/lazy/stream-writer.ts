import type { Call } from '../../../dialects/call.js'
import { AnswerScope } from '../../../dialects/table/answers/answer-scope.js'
import { headersWriter } from '../../../dialects/table/answers/headers-writer.js'
import { fileDataUrls } from '../../../dialects/table/answers/task-text.js'
import type {
  StreamEvent,
  StreamEvents,
  StreamOperation,
} from '../../../dialects/table/dialect-table.generated.js'
import { EVENT_VALUES, type EventScope } from '../../../dialects/table/operation-values.js'
import type { Endpoint } from '../../../dialects/table/requests/endpoint.js'
import { conditionReader, requestReader } from '../../../dialects/table/requests/request-values.js'
import { needsOutput, TASK_VALUES, type TaskScope } from '../../../dialects/table/tasks/task-values.js'
import { compileTemplate, isTrue, type Read } from '../../../dialects/table/template/compile.js'
import type { TextTemplate } from '../../../dialects/table/template/template.js'
import { asText, type JsonValue } from '../../../engine/json.js'
import type { LogLine } from '../../../engine/progress/log-lines.js'
import type { Task } from '../../../engine/tasks/task.js'
import { invalid } from '../../../exchange/problem.js'

/** The events of a stream, and what the client decides about them. */
export type StreamForm = Pick<StreamOperation, 'events' | 'logs_if' | 'resume_after'>

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
  /** The output files as data URLs, if the client gets them so. */
  readonly fileUrls?: readonly string[] | undefined
  /** The log lines that were not sent before. */
  readonly logs?: readonly LogLine[] | undefined
}

/** Writes server-sent events about a task as a table describes, as the HTML standard defines them. */
export class StreamWriter {
  /** Whether it sends the parts of the output. */
  readonly hasParts: boolean
  /** Whether it sends the start of the task. */
  readonly hasStart: boolean
  /** Whether it sends a change of the state before the end. */
  readonly hasChanges: boolean
  /**
   * Reads the number of the last event that the client has; -1 if it has none.
   * @throws Problem 400 if the request contains something else
   */
  readonly resumesAfter: (call: Call) => number
  readonly #endpoint: Endpoint
  readonly #endsWithOutput: boolean
  readonly #asksForLogs: (call: Call) => boolean
  readonly #addHeaders: ReturnType<typeof headersWriter<TaskScope>>
  readonly #writers: ReadonlyMap<string, readonly Write[]>

  constructor({ events, logs_if: logsIf, resume_after: resumeAfter }: StreamForm, endpoint: Endpoint) {
    this.hasParts = events.output !== undefined
    this.hasStart = events.started !== undefined
    this.#endsWithOutput = [events.succeeded ?? []].flat().some(({ data }) => needsOutput(data))
    this.hasChanges = events.queued !== undefined || events.processing !== undefined
    this.resumesAfter = resumptionReader(resumeAfter, endpoint)
    this.#endpoint = endpoint
    this.#asksForLogs = logsIf === undefined ? () => true : conditionReader(logsIf, endpoint)
    this.#addHeaders = headersWriter<TaskScope>(endpoint.table.headers, TASK_VALUES)
    this.#writers = new Map(
      Object.entries(events).map(([topic, given = []]) => [topic, [given].flat().map(eventWriter)]),
    )
  }

  /** Whether the client asked for new log lines. */
  hasLogs(call: Call): boolean {
    return this.hasChanges && this.#asksForLogs(call)
  }

  /** The output files as data URLs, if the last event gives them so. */
  async fileUrls(task: Task, call: Call): Promise<readonly string[] | undefined> {
    return this.#endsWithOutput ? fileDataUrls(this.#endpoint, task, call) : undefined
  }

  /** The headers that the table adds to the answer. */
  headers(task: Task, call: Call): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    this.#addHeaders?.(new AnswerScope(this.#endpoint, task, call), headers)
    return headers
  }

  /**
   * Writes the events about a moment, as they are sent. Events about the past are always the same. An event whose
   * condition does not hold is left out.
   * @param sequence the number of events before them
   */
  write(moment: StreamMoment, sequence: number, call: Call): readonly string[] {
    const writers = this.#writers.get(topicOf(moment)) ?? []
    const scope = this.#scopeOf(moment, sequence, call)
    return writers.flatMap((write) => {
      const text = write(scope)
      if (text === undefined) return []
      scope.sequence += 1
      return [text]
    })
  }

  #scopeOf(
    { topic, task, part, index = 0, progress, logs = [], fileUrls }: StreamMoment,
    sequence: number,
    call: Call,
  ) {
    const urlOf = fileUrls && ((file: number) => fileUrls[file] ?? '')
    const scope: EventScope = Object.assign(new AnswerScope(this.#endpoint, task, call, urlOf), {
      part,
      index,
      sequence,
    })
    if (progress !== undefined) Object.assign(scope, { progress: () => progress })
    const tellsLogs = this.hasChanges && (topic === 'change' || topic === 'end')
    if (tellsLogs) Object.assign(scope, { logs: () => logs, hidesLogs: !this.#asksForLogs(call) })
    return scope
  }
}

/** The field of `events` about a moment. */
function topicOf({ topic, task }: StreamMoment): keyof StreamEvents {
  if (topic === 'part') return 'output'
  return topic === 'created' || topic === 'started' ? topic : task.status
}

/** Writes an event; undefined if a condition does not hold. */
type Write = (scope: EventScope) => string | undefined

function eventWriter({ if: given = [], event, id, data }: StreamEvent): Write {
  const conditions = [given].flat().map((each) => compileTemplate<EventScope>(each, EVENT_VALUES))
  const lines = Object.entries({ event, id, data }).flatMap(([name, template]) => {
    return template === undefined ? [] : [lineWriter(name, compileTemplate(template, EVENT_VALUES))]
  })
  return (scope) => {
    if (!conditions.every((read) => isTrue(read(scope)))) return undefined
    return `${lines.map((write) => write(scope)).join('')}\n`
  }
}

/** Data that is not a string is written as JSON. */
function lineWriter(name: string, read: Read<EventScope>) {
  return (scope: EventScope): string => {
    const value = read(scope)
    if (value === undefined || value === null) return name === 'data' ? 'data: \n' : ''
    return asText(value)
      .split(/\r\n|\r|\n/)
      .map((part) => `${name}: ${part}\n`)
      .join('')
  }
}

const PARAMETER = /\{\{\s*(?:query|header)\.([\w-]+)/

function resumptionReader(template: TextTemplate | undefined, endpoint: Endpoint): (call: Call) => number {
  if (template === undefined) return () => -1
  const read = requestReader(template, endpoint)
  const parameter = PARAMETER.exec(template)?.[1] ?? ''
  return (call) => {
    const value = read(call)
    if (value === undefined || value === null) return -1
    if (/^\d{1,15}$/.test(String(value))) return Number(value)
    throw invalid('query parameter', parameter, value, 'the number of an event, such as 12')
  }
}
