import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { oncePer } from '../../engine/recent.js'
import { answeredTask, hasPath, leafPaths } from '../../engine/tasks/answered-task.js'
import { isTerminal, type Status } from '../../engine/tasks/task.js'
import type { Dialect } from '../dialect.js'
import type { DialectTable, StatusVariant } from '../table/dialect-table.generated.js'
import { allTables } from '../table/tasks/objects.js'
import { type FormTemplate, taskTemplates } from '../table/tasks/task-template.js'
import { GUARD } from '../table/template/compile.js'
import { type Placeholder, parseText } from '../table/template/parse.js'
import { type Found, readBack } from './read-back.js'
import { type SeenTask, SeenValues } from './seen-values.js'

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
    // Some services leave out the model of a failed task by an empty string.
    model: values.text('model') || undefined,
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
  word?: unknown,
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

/**
 * The code of an error in the words of scenarios.
 * @param shown the code that the answer shows
 * @param word the word of the state, which may depend on the code
 */
function failureCode(
  table: DialectTable,
  answer: JsonObject,
  { shown, word }: { readonly shown: string | undefined; readonly word: unknown },
): string | undefined {
  for (const { statuses } of allTables(table)) {
    const { codes = {}, by_error: words = {}, variants = [] } = statuses.failed
    const variant = variants.find((each) => isOf(each, answer, word))
    const code =
      nameOf(codes, shown) ?? nameOf(words, word) ?? (variant === undefined ? undefined : codeOf(variant))
    if (code !== undefined) return code
  }
  return shown
}

function nameOf(values: Readonly<Record<string, string>>, value: unknown): string | undefined {
  return Object.keys(values).find((name) => values[name] === value)
}

/** Whether a task has the form of a variant: its word, or its fields if the service has no words. */
function isOf({ word, fields = {} }: StatusVariant, answer: JsonObject, shown: unknown): boolean {
  if (typeof shown === 'string') return shown === word
  const paths = leafPaths(fields, (mapping) => Object.hasOwn(mapping, GUARD))
  return paths.length > 0 && paths.every((path) => hasPath(answer, path))
}

/** The code for which a variant is, if its condition is `{{error.code | equals CODE}}`. */
function codeOf({ if: condition }: StatusVariant): string | undefined {
  const [part] = parseText(condition)
  const [operand] = typeof part === 'object' ? part : []
  const { value, filters = [] } = operand ?? {}
  const [filter] = filters
  const isCode = isJsonObject(value) && value['name'] === 'error' && filter?.name === 'equals'
  return isCode ? filter.args[0] : undefined
}
