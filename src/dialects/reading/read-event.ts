import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { oncePer } from '../../engine/recent.js'
import type { Dialect } from '../dialect.js'
import type { StreamEvent } from '../table/dialect-table.generated.js'
import { SPREAD } from '../table/template/compile.js'
import type { Template } from '../table/template/template.js'
import { readTask } from './read-task.js'
import type { SeenTask } from './seen-task.js'

const TASK = '{{task}}'

/** Reads the task in the data of a server-sent event; undefined if it shows no state of a task. */
export function readEvent(dialect: Dialect, data: JsonObject): SeenTask | undefined {
  for (const field of fieldsOf(dialect)) {
    const task: JsonValue | undefined = field === undefined ? data : data[field]
    const seen = isJsonObject(task) ? readTask(dialect, task) : undefined
    if (seen?.id !== undefined && (seen.status ?? seen.unknownWord) !== undefined) return seen
  }
  return undefined
}

/** The fields of events that hold the task; undefined stands for the data themselves. */
const fieldsOf = oncePer((dialect: Dialect) => new Set(eventsOf(dialect).flatMap(taskFields)))

/** The templates of the data of all events. */
function eventsOf({ table }: Dialect): Template[] {
  return table.operations.flatMap((operation) => {
    const { action } = operation
    const events =
      action === 'create' || action === 'retrieve' || action === 'stream' ? (operation.events ?? {}) : {}
    return Object.values(events)
      .flatMap((each: StreamEvent | readonly StreamEvent[] = []) => each)
      .map(({ data }) => data)
  })
}

function taskFields(data: Template): (string | undefined)[] {
  if (isWhole(data)) return [undefined]
  return isJsonObject(data) ? Object.keys(data).filter((field) => isWhole(data[field])) : []
}

/** Whether a template is the task, or has all its fields. */
function isWhole(template: Template | undefined): boolean {
  return template === TASK || (isJsonObject(template) && template[SPREAD] === TASK)
}
