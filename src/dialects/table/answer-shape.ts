import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { type AnswerShape, type FieldPath, leafPaths } from '../../engine/tasks/answered-task.js'
import { STATUSES, type Status } from '../../engine/tasks/task.js'
import type {
  DialectOperation,
  DialectTable,
  ListOperation,
  RetrieveOperation,
  StreamEvent,
} from './dialect-table.generated.js'
import { allTables } from './tasks/objects.js'
import { wordsOf } from './tasks/task-state.js'
import { taskTemplates } from './tasks/task-template.js'
import { needsOutput } from './tasks/task-values.js'
import { GUARD, SPREAD } from './template/compile.js'
import type { Template } from './template/template.js'

/** Where answers hold tasks: the fields whose values are `{{tasks}}`, `{{task}}`, `{{id}}` and `{{status}}`. */
export function answerShape(table: DialectTable): AnswerShape {
  const { task, statuses, operations } = table
  const list = operations.find(
    (operation): operation is DialectOperation & ListOperation => operation.action === 'list',
  )
  const poll = operations.find(
    (operation): operation is DialectOperation & RetrieveOperation => operation.action === 'retrieve',
  )
  const ids = allTables(table).map((each) => idFieldOf(each.task))
  const created = operations.flatMap((operation) =>
    operation.action === 'create' ? createdIn(operation.answer, ids) : [],
  )
  const status = fieldsOf(table, 'status')[0] ?? 'status'
  const others = [list?.item, ...Object.values(poll?.states ?? {}).map((state) => state?.answer)]
  const otherStatuses = others
    .flatMap((each) => holderOf(each, 'status') ?? [])
    .filter((each) => each !== status)
  return {
    list: holderOf(list?.answer, 'tasks') ?? 'data',
    task: holderOf(poll?.answer, 'task'),
    created: [...new Set(created.flatMap(({ holder }) => holder ?? []))],
    ids: [...new Set([...ids, ...created.map(({ id }) => id)])],
    status,
    ...(otherStatuses.length > 0 && { otherStatuses }),
    words: Object.assign(
      // The word of a new task may be one that polls never show.
      Object.fromEntries(created.flatMap(({ fields }) => constantsOf(fields[status]))),
      ...allTables(table)
        .map((each) => statesByWord(each.statuses))
        .reverse(),
    ) as AnswerShape['words'],
    hidesOutput: hidesOutput(table),
    ...(fieldOf(task, 'status') === undefined && { marks: marksOf(statuses) }),
  }
}

/** The field of a template that holds a value; undefined if none does. */
export function fieldOf(template: JsonObject, name: string): string | undefined {
  return Object.keys(template).find((field) => field !== SPREAD && template[field] === `{{${name}}}`)
}

/** The fields that hold a value in tasks of any type, that of the main type first. */
function fieldsOf(table: DialectTable, name: string): readonly string[] {
  return allTables(table).flatMap(({ task }) => fieldOf(task, name) ?? [])
}

/** The field of the id of a task, or of a path whose last segment is the id. */
export function idFieldOf(task: JsonObject): string {
  return fieldOf(task, 'id') ?? pathFieldOf(task) ?? 'id'
}

/** The field of a path that ends in the id, such as `jobs/{{id}}`. */
function pathFieldOf(task: JsonObject): string | undefined {
  return Object.keys(task).find((field) => String(task[field]).endsWith('/{{id}}'))
}

function holderOf(answer: Template | undefined, name: string): string | undefined {
  return isJsonObject(answer) ? fieldOf(answer, name) : undefined
}

interface CreatedIdField {
  /** Undefined if the answer itself has the id. */
  readonly holder: string | undefined
  readonly id: string
  readonly fields: JsonObject
}

/**
 * Where an answer to a create request has the id of the new task, if its field is not that of a task.
 * @param known the fields of the ids of tasks
 */
function createdIn(answer: Template | undefined, known: readonly string[]): readonly CreatedIdField[] {
  if (!isJsonObject(answer) || holderOf(answer, 'task') !== undefined) return []
  const found = [[undefined, answer] as const, ...Object.entries(answer)].flatMap(([holder, fields]) => {
    const id = holderOf(fields, 'id')
    return id === undefined || !isJsonObject(fields) ? [] : [{ holder, id, fields }]
  })
  return found.some(({ id }) => known.includes(id)) ? [] : found.slice(0, 1)
}

/** The state of a new task by the word that an answer always has. */
function constantsOf(word: Template | undefined): readonly (readonly [string, Status])[] {
  return typeof word === 'string' && !word.includes('{{') ? [[word, 'queued']] : []
}

/** The states by their words. A word of several states means the first of them. */
function statesByWord(statuses: DialectTable['statuses']): Readonly<Record<string, Status>> {
  const words = STATUSES.flatMap((status) => {
    return wordsOf(statuses, status).map((word) => [word, status] as const)
  })
  return Object.fromEntries(words.reverse())
}

/** A canceled task may look like one that has failed. */
const ENDS = ['succeeded', 'failed', 'canceled', 'processing'] as const

/**
 * The fields of each state that has some. Fields within mappings tell a success from variants of other states; without
 * them, the fields of the task decide, since a service may leave out some of the others.
 */
function marksOf(statuses: DialectTable['statuses']): AnswerShape['marks'] {
  const { succeeded } = statuses
  const variants = ENDS.flatMap((status) =>
    (statuses[status].variants ?? []).map(({ fields }) => ({ status, paths: pathsIn(fields) })),
  )
  const usual = ENDS.map((status) => ({
    status,
    paths: Object.keys(statuses[status].fields ?? {}).map((field) => [field]),
  }))
  return [{ status: 'succeeded', paths: pathsIn(succeeded.fields) } as const, ...variants, ...usual].filter(
    ({ paths }) => paths.length > 0,
  )
}

function pathsIn(fields: JsonObject = {}): readonly FieldPath[] {
  return leafPaths(fields, (mapping) => Object.hasOwn(mapping, GUARD))
}

/** Whether only requests for the result of a task show its output, because answers about its state do not. */
function hidesOutput(table: DialectTable): boolean {
  const showsOutput = (operation: DialectOperation) =>
    answersOf(operation)
      .flatMap((answer) => taskTemplates(table, answer))
      .some(({ template }) => needsOutput(template))
  const { operations } = table
  return (
    operations.some((operation) => operation.action === 'result' && showsOutput(operation)) &&
    !operations.some(
      (operation) => (operation.action === 'retrieve' || isStream(operation)) && showsOutput(operation),
    )
  )
}

function isStream({ action }: DialectOperation): boolean {
  return action === 'stream' || action === 'parts'
}

/** The templates of the answers of an operation that reads a task; undefined stands for the task. */
function answersOf(operation: DialectOperation): (Template | undefined)[] {
  switch (operation.action) {
    case 'retrieve':
      return [operation.answer, ...Object.values(operation.states ?? {}).map((state) => state?.answer)]
    case 'result':
      return [operation.text ?? operation.answer]
    case 'stream':
      return Object.values(operation.events).flatMap((event) => [event].flat().flatMap(dataOf))
    case 'parts':
      return ['{{output}}']
    default:
      return []
  }
}

function dataOf(event: StreamEvent | undefined): Template[] {
  return event === undefined ? [] : [event.data]
}
