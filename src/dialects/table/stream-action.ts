import type { JsonValue } from '../../engine/json.js'
import type { LogLine } from '../../engine/progress/log-lines.js'
import type { Status, Task } from '../../engine/tasks/task.js'
import type { PartsAction, StreamAction } from '../action.js'
import type { Call } from '../call.js'
import { AnswerScope } from './answer-scope.js'
import type { DialectTable } from './dialect-table.js'
import { headersWriter } from './headers-writer.js'
import type { OperationPlace } from './operation-place.js'
import type { PartsTable, StreamEvent, StreamTable } from './operation-table.js'
import { replyFrom } from './reply-with.js'
import { conditionReader, requestReader } from './task-actions.js'
import { TASK_VALUES, type TaskScope } from './task-values.js'
import { compileTemplate, type Read, type Values } from './template/compile.js'
import { waitOf } from './wait-of.js'

interface EventScope extends TaskScope {
  readonly part: JsonValue | undefined
  readonly index: number
}

/** The values in the templates of events of a stream. */
export const EVENT_VALUES = {
  ...TASK_VALUES,
  part: ({ part }) => part,
  index: ({ index }) => index,
} satisfies Values<EventScope>

/** Streams server-sent events as a table describes. */
export function streamAction(
  table: DialectTable,
  { key, events, logs_if: logsIf }: StreamTable,
  place: OperationPlace,
): StreamAction {
  const addHeaders = headersWriter<TaskScope>(table.headers, TASK_VALUES)
  const hasLogs = logsIf === undefined ? () => true : conditionReader(logsIf, place)
  const hasChanges = events.queued !== undefined || events.processing !== undefined
  const writePart = eventWriter(events.output)
  const writeState: Partial<Record<Status, EventWriter>> = {
    queued: eventWriter(events.queued),
    processing: eventWriter(events.processing),
    succeeded: eventWriter(events.succeeded),
    failed: eventWriter(events.failed),
    canceled: eventWriter(events.canceled),
  }
  return {
    operation: 'tasks.stream',
    isPublic: key === 'none',
    hasParts: events.output !== undefined,
    hasChanges,
    hasLogs: (call) => hasChanges && hasLogs(call),
    headers(task, call) {
      const headers: Record<string, string> = {}
      addHeaders?.(new AnswerScope(table, call, task, place), headers)
      return headers
    },
    change: (task, call, logs) => writeOf(task, call, 0, logs),
    part: (part, index, task, call) =>
      writePart(Object.assign(new AnswerScope(table, call, task, place), { part, index })),
    end: (index, task, call, logs) => writeOf(task, call, index, logs),
  }

  function writeOf(task: Task, call: Call, index: number, logs: readonly LogLine[]): string {
    const scope = Object.assign(new AnswerScope(table, call, task, place), { part: undefined, index })
    if (hasChanges) Object.assign(scope, { logs: () => logs, hidesLogs: !hasLogs(call) })
    return writeState[task.status]?.(scope) ?? ''
  }
}

type EventWriter = (scope: EventScope) => string

/** Returns a function that writes events as the HTML standard describes. Data that is no text is written as JSON. */
function eventWriter(given: StreamEvent | readonly StreamEvent[] = []): EventWriter {
  const fields = [given].flat().map(({ event, id, data }) => ({
    event: compileTemplate<EventScope>(event ?? null, EVENT_VALUES),
    id: compileTemplate<EventScope>(id ?? null, EVENT_VALUES),
    data: compileTemplate<EventScope>(data, EVENT_VALUES),
  }))
  return (scope) =>
    fields
      .map(
        ({ event, id, data }) =>
          `${line('event', event, scope)}${line('id', id, scope)}${line('data', data, scope)}\n`,
      )
      .join('')
}

function line(name: string, read: Read<EventScope>, scope: EventScope): string {
  const value = read(scope)
  if (value === undefined || value === null) return name === 'data' ? 'data: \n' : ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text
    .split(/\r\n|\r|\n/)
    .map((part) => `${name}: ${part}\n`)
    .join('')
}

interface PartsScope extends TaskScope {
  readonly parts: JsonValue[]
}

/** The values in an answer with parts of an output. */
export const PARTS_VALUES = {
  ...TASK_VALUES,
  parts: ({ parts }) => parts,
} satisfies Values<PartsScope>

/** The values in the template of one part. */
export const PART_VALUES = { part: (part) => part } satisfies Values<JsonValue>

/** Answers with the next parts of an output as a table describes. */
export function partsAction(
  table: DialectTable,
  { status = 200, answer, part: template = '{{part}}', wait }: PartsTable,
  place: OperationPlace,
): PartsAction {
  const read = compileTemplate<PartsScope>(answer, PARTS_VALUES)
  const readPart = compileTemplate<JsonValue>(template, PART_VALUES)
  const readWait = requestReader(wait, place)
  return {
    operation: 'tasks.stream',
    wait: (call: Call) => waitOf(readWait(call)),
    encode(task, given, call) {
      const parts = given.map((part) => readPart(part) ?? null)
      return replyFrom(status, read, Object.assign(new AnswerScope(table, call, task, place), { parts }))
    },
  }
}
