import type { JsonObject, JsonValue } from '../../engine/json.js'
import { oncePer } from '../../engine/once-per.js'
import { isTerminal, type Status } from '../../engine/tasks/task.js'
import { answeredTask } from '../answered-task.js'
import type { Dialect } from '../dialect.js'
import type { DialectTable } from '../table/model/dialect-table.js'
import { allTables } from '../table/tasks/objects.js'
import { type FormTemplate, taskTemplates } from '../table/tasks/task-template.js'
import type { Placeholder } from '../table/template/parse.js'
import { failureCode } from './failure-code.js'
import { type Found, readBack } from './read-back.js'
import type { SeenTask } from './seen-task.js'
import { SeenValues } from './seen-values.js'

/**
 * Reads a task in an answer of a service, by the templates with which its dialect writes one.
 * @param answer the task, as an answer about it or a list shows it
 */
export function readTask({ answers, table }: Dialect, answer: JsonObject): SeenTask {
  const { id, status, unknownWord } = answeredTask(answer, answers)
  const isUnknown = unknownWord !== undefined
  const values = new SeenValues()
  for (const form of templatesOf(table))
    if (isUnknown || form.status === status) readBack(form.template, answer, resultReader(table, values))
  return {
    id,
    status,
    unknownWord,
    model: values.text('model'),
    kind: values.text('kind'),
    input: values.mapping('input'),
    ...timesIn(values, isUnknown ? 'failed' : status),
    queueMs: values.number('queue_ms'),
    runMs: values.number('run_ms'),
    error:
      isUnknown || status === 'failed' ? errorIn(values, table, answer, answer[answers.status]) : undefined,
    cost: values.number('cost'),
    output: isUnknown || status === 'succeeded' ? values.output : undefined,
  }
}

/** The templates of a task, in all answers that show one. */
const templatesOf = oncePer((table: DialectTable) => allTables(table).flatMap(templatesOfObject))

function templatesOfObject(table: DialectTable): FormTemplate[] {
  const items = table.operations.flatMap((operation) =>
    operation.action === 'list' && operation.item !== undefined ? [operation.item] : [],
  )
  return [...taskTemplates(table), ...items.flatMap((item) => taskTemplates(table, item))]
}

/** The instants of a task: those that the answer has, or as far as they follow from its durations. */
function timesIn(values: SeenValues, status: Status | undefined) {
  const [queued, run, total] = ['queue_ms', 'run_ms', 'total_ms'].map((name) => values.number(name))
  const createdAt = values.time('created_at')
  const isEnded = status !== undefined && isTerminal(status)
  const completedAt = isEnded ? (values.time('completed_at') ?? sum(createdAt, total)) : undefined
  const isStarted = isEnded || status === 'processing'
  const startedAt = isStarted
    ? (values.time('started_at') ?? sum(createdAt, queued) ?? sum(completedAt, negative(run)))
    : undefined
  return { createdAt, startedAt, endedAt: completedAt ?? (isEnded ? sum(startedAt, run) : undefined) }
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value
}

/** Reads the error of a failed task. @param word the word of its state */
export function errorIn(
  values: SeenValues,
  table: DialectTable,
  answer: JsonObject,
  word?: JsonValue,
): SeenTask['error'] {
  const { code, message } = values.mapping('error') ?? {}
  if (typeof message !== 'string') return undefined
  const shown = typeof code === 'string' ? code : undefined
  return { code: failureCode(table, answer, { shown, word }), message }
}

/** Reads values, and the cost of a task where it is in the result. */
function resultReader({ results = {} }: DialectTable, values: SeenValues): Found {
  const readCost: Found = (placeholder, value) => {
    if (namesOnly(placeholder, 'cost')) values.add(placeholder, value)
  }
  return (placeholder, value) => {
    values.add(placeholder, value)
    if (!namesOnly(placeholder, 'result')) return
    for (const template of Object.values(results)) readBack(template, value, readCost)
  }
}

function namesOnly([operand, ...others]: Placeholder, name: string): boolean {
  return (
    operand !== undefined && others.length === 0 && 'name' in operand.value && operand.value.name === name
  )
}
