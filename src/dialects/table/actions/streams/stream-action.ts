import { invalid } from '../../../../exchange/problem.js'
import type { Call } from '../../../call.js'
import type { StreamAction, StreamMoment } from '../../../stream-action.js'
import { AnswerScope } from '../../answers/answer-scope.js'
import { taskChecker } from '../../answers/check-rejected.js'
import { headersWriter } from '../../answers/headers-writer.js'
import type { DialectTable, StreamEvents, StreamOperation } from '../../dialect-table.generated.js'
import type { OperationPlace } from '../../requests/operation-place.js'
import { conditionReader, requestReader } from '../../requests/request-values.js'
import { TASK_VALUES, type TaskScope } from '../../tasks/task-values.js'
import type { TextTemplate } from '../../template/template.js'
import { type EventScope, eventsWriter, type WriteEvents } from './stream-events.js'

/** Streams server-sent events as a table describes. */
export function streamAction(
  table: DialectTable,
  { key, events, logs_if: logsIf, resume_after: resumeAfter, reject }: Omit<StreamOperation, 'action'>,
  place: OperationPlace,
): StreamAction {
  const addHeaders = headersWriter<TaskScope>(table.headers, TASK_VALUES)
  const hasLogs = logsIf === undefined ? () => true : conditionReader(logsIf, place)
  const hasChanges = events.queued !== undefined || events.processing !== undefined
  const writers = new Map(
    Object.entries(events).map(([topic, given]): readonly [string, WriteEvents] => [
      topic,
      eventsWriter(given),
    ]),
  )
  return {
    operation: 'tasks.stream',
    isPublic: key === 'none',
    checkTask: taskChecker(table, place, reject),
    hasStart: events.started !== undefined,
    hasParts: events.output !== undefined,
    hasChanges,
    hasLogs: (call) => hasChanges && hasLogs(call),
    headers(task, call) {
      const headers: Record<string, string> = {}
      addHeaders?.(new AnswerScope(table, call, task, place), headers)
      return headers
    },
    resumesAfter: resumptionReader(resumeAfter, place),
    write(moment, sequence, call) {
      return writers.get(topicOf(moment))?.(scopeOf(moment, sequence, call)) ?? []
    },
  }

  function scopeOf(moment: StreamMoment, sequence: number, call: Call): EventScope {
    const { task, part, index = 0, progress, logs = [] } = moment
    const scope = Object.assign(new AnswerScope(table, call, task, place), { part, index, sequence })
    if (progress !== undefined) Object.assign(scope, { progress: () => progress })
    const tellsLogs = hasChanges && (moment.topic === 'change' || moment.topic === 'end')
    return tellsLogs ? Object.assign(scope, { logs: () => logs, hidesLogs: !hasLogs(call) }) : scope
  }
}

/** The field of `events` about a moment. */
function topicOf({ topic, task }: StreamMoment): keyof StreamEvents {
  if (topic === 'part') return 'output'
  return topic === 'created' || topic === 'started' ? topic : task.status
}

const PARAMETER = /\{\{\s*(?:query|header)\.([\w-]+)/

/**
 * Returns a function that reads the sequence number of the last event that a client has: -1 if it has none.
 * @throws Problem 400 from the function, if the request has another value
 */
function resumptionReader(template: TextTemplate | undefined, place: OperationPlace): (call: Call) => number {
  if (template === undefined) return () => -1
  const read = requestReader(template, place)
  const parameter = PARAMETER.exec(template)?.[1] ?? ''
  return (call) => {
    const value = read(call)
    if (value === undefined || value === null) return -1
    if (/^\d{1,15}$/.test(String(value))) return Number(value)
    throw invalid('query parameter', parameter, value, 'the number of an event, such as 12')
  }
}
