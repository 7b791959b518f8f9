import type { JsonObject } from '../../../engine/json.js'
import { bytesOfTask } from '../../../engine/memory/bytes-of.js'
import { oncePer, Recent } from '../../../engine/recent.js'
import type { OutputSettings } from '../../../engine/scenario/scenario.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../dialect-table.generated.js'
import { mountForClient, type OperationPlace } from '../requests/operation-place.js'
import { mapForms, taskTemplates } from '../tasks/task-template.js'
import { TASK_VALUES } from '../tasks/task-values.js'
import { compileTemplate, namesIn, SPREAD } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { AnswerScope } from './answer-scope.js'

type WriteAtPlace = (call: Call, task: Task, place: OperationPlace) => string

/** The writers of each table, so that all operations that show a task in the same form share its cached text. */
const writersOf = oncePer((_: DialectTable) => new Map<string, WriteAtPlace>())

/**
 * Returns a function that writes a task as JSON. It caches the texts.
 * @param own another template in place of that of the task
 * @param hidesLogs whether the client asked for an answer without log lines
 */
export function taskWriter(
  table: DialectTable,
  place: OperationPlace,
  own: Template = '{{task}}',
  hidesLogs = false,
): (call: Call, task: Task) => string {
  const writers = writersOf(table)
  const key = JSON.stringify([own, hidesLogs])
  const write = writers.get(key) ?? newWriter(table, own, hidesLogs)
  writers.set(key, write)
  return (call, task) => write(call, task, place)
}

function newWriter(table: DialectTable, own: Template, hidesLogs: boolean): WriteAtPlace {
  const templates = taskTemplates(table, own)
  const readers = mapForms(templates, compiled)
  const { removed } = table
  const ofRemoved = removed && mapForms(taskTemplates(table, own, removed), compiled)
  return cachedText({
    write(call, task, place) {
      const scope = new AnswerScope(table, call, task, place)
      scope.hidesLogs = hidesLogs
      const read = (ofRemoved !== undefined && scope.isRemoved() ? ofRemoved : readers).get(scope.form)
      const text = JSON.stringify(read?.(scope) ?? {})
      return { text, until: scope.until }
    },
    hasUrls: table.outputs?.url !== undefined || hasUrls(namesIn(templates.map(({ template }) => template))),
  })
}

const compiled = (template: Template) => compileTemplate(template, TASK_VALUES)

function hasUrls(names: ReadonlySet<string>): boolean {
  return names.has('base') || names.has('stream_url') || names.has('task') || names.has('result')
}

/** The field of a template that holds a value; undefined if none does. */
export function fieldOf(template: JsonObject, name: string): string | undefined {
  return Object.keys(template).find((field) => field !== SPREAD && template[field] === `{{${name}}}`)
}

/** A text about a task. */
interface TaskText {
  readonly text: string
  /**
   * Until when it stays the same if the task does not change, in epoch milliseconds; 0 if it may change at any time, and
   * infinite if it only changes with the task.
   */
  readonly until: number
}

interface CachedText {
  written: TaskText
  /** The other values that determine the text. */
  readonly outputs: OutputSettings
  readonly origin: string
  readonly mount: string
}

/** How a dialect writes the text about a task. */
interface TextWriter {
  write(call: Call, task: Task, place: OperationPlace): TaskText
  /** Whether the text contains URLs of the service, which begin with `{{base}}`. */
  readonly hasUrls: boolean
}

/** In characters. */
const LONGEST_CACHED = 4_000

/** In bytes. The cache keeps tasks that may have been evicted, and the memory budget does not count them. */
const LARGEST_TASK = 5_000

/**
 * Caches the texts of a writer, because clients poll the same unchanged task repeatedly. Tasks are immutable, and all
 * other values that determine a text are compared, so that operations at different places can share the cache.
 */
export function cachedText({
  write,
  hasUrls,
}: TextWriter): (call: Call, task: Task, place: OperationPlace) => string {
  const texts = new Recent<Task, CachedText>()
  return (call, task, place) => {
    const { sim, request } = call
    const origin = hasUrls || task.result !== undefined ? request.origin : ''
    const mount = hasUrls ? mountForClient(call, place) : ''
    const { outputs } = sim.scenario
    const known = texts.get(task)
    if (known?.outputs === outputs && known.origin === origin && known.mount === mount) {
      if (sim.clock.now() >= known.written.until) known.written = write(call, task, place)
      return known.written.text
    }
    const written = write(call, task, place)
    if (written.text.length <= LONGEST_CACHED && isSmall(task))
      texts.set(task, { written, outputs, origin, mount })
    return written.text
  }
}

function isSmall(task: Task): boolean {
  return bytesOfTask(task) <= LARGEST_TASK
}
