import leven from 'leven'
import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { oncePer } from '../../engine/recent.js'
import { STATUSES, type Status, type Task } from '../../engine/tasks/task.js'
import type { Action } from '../action.js'
import type { AnswerShape, Dialect, DialectRoute } from '../dialect.js'
import type { FieldPath } from '../has-path.js'
import { leafPaths } from '../leaf-paths.js'
import { parametersIn } from '../path-parts.js'
import { createAction } from './actions/create-action.js'
import { listAction } from './actions/list-action.js'
import { cancelAction, retrieveAction } from './actions/task-actions.js'
import { errorWriter } from './answers/table-error.js'
import { fieldOf } from './answers/task-writer.js'
import type {
  DialectOperation,
  DialectTable,
  ListOperation,
  RetrieveOperation,
  StreamEvent,
} from './dialect-table.generated.js'
import type { RareParts } from './rare-parts.js'
import { operationPlace } from './requests/operation-place.js'
import { errorForm } from './scenario-settings.js'
import { allTables, isOfObject, tableOf, tableOfTask } from './tasks/objects.js'
import { taskIdsOf } from './tasks/task-ids.js'
import { wordsOf } from './tasks/task-state.js'
import { taskTemplates } from './tasks/task-template.js'
import { needsOutput } from './tasks/task-values.js'
import { GUARD } from './template/compile.js'
import type { Template } from './template/template.js'
import { tableWebhooks } from './webhooks/webhooks.js'

/**
 * Builds the wire format that a table describes. It compiles all templates at once.
 * @param rare what most services need besides creating, polling, listing and canceling tasks
 */
export function dialectFromTable(table: DialectTable, rare?: RareParts): Dialect {
  const { name, key = {} } = table
  const taskIds = taskIdsOf(table)
  const webhooks = tableWebhooks(table)
  return {
    name,
    table,
    hosts: table.hosts ?? [],
    pollInterval: (task) => tableOfTask(table, task).poll_interval,
    help: (mount, asked) => table.help ?? nearestOperations(operationsOf(table, mount), asked, name),
    routes: routesOf(table, webhooks, rare),
    forward: table.forward,
    requiredHeaders:
      table.require_headers && new Map(table.require_headers.map((name) => [name.toLowerCase(), name])),
    key: { header: key.header ?? 'Authorization', scheme: key.scheme, query: key.query },
    limitHeaders: limitHeadersOf(table),
    outputTimes: table.outputs,
    liveTasks: rare?.liveTasks,
    answers: answerShape(table),
    taskIds,
    error: (rejection, requestId, scenario) =>
      writerOf(errorForm(table, scenario))(rejection, requestId, scenario),
    webhooks,
  }
}

const writerOf = oncePer(errorWriter)

function limitHeadersOf({ rate_limit_headers: form }: DialectTable): Dialect['limitHeaders'] {
  if (form === undefined) return undefined
  const { reset_as: resetAs, ...names } = form
  return { ...names, writeReset: resetAs === 'duration' ? goDuration : undefined }
}

function operationsOf({ prefix = '', operations }: DialectTable, mount: string): readonly string[] {
  return operations.map(({ method, path }) => `${method} ${mount}${prefix}${path}`)
}

function routesOf(
  table: DialectTable,
  webhooks: Dialect['webhooks'],
  rare: RareParts | undefined,
): DialectRoute[] {
  const byPath = new Map<string, Record<string, Action>>()
  for (const operation of table.operations) {
    const path = (table.prefix ?? '') + operation.path
    const methods = byPath.get(path) ?? {}
    const action = actionOf(tableOf(table, operation.object), operation, path, webhooks, rare)
    methods[operation.method] = table.objects === undefined ? action : withOwner(action, operation.object)
    byPath.set(path, methods)
  }
  const { prefix = '', aliases } = table
  return [...byPath].map(([path, methods]) => ({
    path,
    aliases: aliases?.map((start) => start + path.slice(prefix.length)),
    methods,
    ...patternsOf(table, path),
  }))
}

/** The patterns of the parameters of a path, if the table lists values of one. */
function patternsOf({ parameters = {} }: DialectTable, path: string): { params?: RegExp[] } {
  const names = parametersIn(path).map(({ name }) => name)
  if (!names.some((name) => Object.hasOwn(parameters, name))) return {}
  return { params: names.map((name) => new RegExp(`^(?:${parameters[name]?.join('|') ?? '.*'})$`)) }
}

/** Restricts an action to the tasks of an object. */
function withOwner<Of extends Action>(action: Of, object: string | undefined): Of {
  return { ...action, owns: (task: Task) => isOfObject(task, object) }
}

function actionOf(
  table: DialectTable,
  operation: DialectOperation,
  path: string,
  webhooks: Dialect['webhooks'],
  rare: RareParts | undefined,
): Action {
  const place = operationPlace(table, path)
  switch (operation.action) {
    case 'create':
      return createAction(table, operation, place)
    case 'retrieve':
      return retrieveAction(table, operation, place)
    case 'cancel':
      return cancelAction(table, operation, place)
    case 'list':
      return listAction(table, operation, place)
    default:
      if (rare !== undefined) return rare.actionOf(table, operation, place, webhooks)
      throw new Error(`The action ${operation.action} of ${table.name} needs the parts for rare actions.`)
  }
}

/** Where answers hold tasks: the fields whose values are `{{tasks}}`, `{{task}}`, `{{id}}` and `{{status}}`. */
function answerShape(table: DialectTable): AnswerShape {
  const { task, statuses, operations } = table
  const list = operations.find(
    (operation): operation is DialectOperation & ListOperation => operation.action === 'list',
  )
  const poll = operations.find(
    (operation): operation is DialectOperation & RetrieveOperation => operation.action === 'retrieve',
  )
  return {
    list: holderOf(list?.answer, 'tasks') ?? 'data',
    task: holderOf(poll?.answer, 'task'),
    id: fieldOf(task, 'id') ?? pathFieldOf(task) ?? 'id',
    status: fieldOf(task, 'status') ?? 'status',
    words: Object.assign(
      {},
      ...allTables(table)
        .map((each) => statesByWord(each.statuses))
        .reverse(),
    ),
    hidesOutput: hidesOutput(table),
    ...(fieldOf(task, 'status') === undefined && { marks: marksOf(statuses) }),
  }
}

/** The field of a path that ends in the id, such as `jobs/{{id}}`. */
function pathFieldOf(task: JsonObject): string | undefined {
  return Object.keys(task).find((field) => String(task[field]).endsWith('/{{id}}'))
}

function holderOf(answer: Template | undefined, name: string): string | undefined {
  return isJsonObject(answer) ? fieldOf(answer, name) : undefined
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

/**
 * Writes a time span as Go does: `20ms`, `1.5s`, `6m0s` or `1h0m0s`.
 * @param span milliseconds
 */
export function goDuration(span: number): string {
  if (span <= 0) return '0s'
  if (span < 1_000) return `${span}ms`
  const [hours, minutes] = [Math.floor(span / 3_600_000), Math.floor(span / 60_000) % 60]
  const seconds = `${(span % 60_000) / 1_000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

/** How many operations a message names. */
const MOST = 3

/**
 * Names the operations of a dialect whose paths are most similar to that of a request, and where all of them are.
 * @param operations a method and a path each, such as `GET /v1/tasks/{task_id}`
 * @param asked the method and the path of the request
 */
function nearestOperations(operations: readonly string[], asked: string, dialect: string): string {
  const all = `/_sim/dialects/${dialect}/openapi.json`
  const nearest = operations
    .map((operation) => ({ operation, distance: distanceOf(operation, asked) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MOST)
    .map(({ operation }) => operation)
  const others = operations.length > MOST ? `, and others: GET ${all} describes all ${operations.length}` : ''
  return `The dialect ${dialect} has ${nearest.join(', ')}${others}.`
}

/** How many segments differ, and by how much. A parameter is like any segment. A wrong method counts least. */
function distanceOf(operation: string, asked: string): number {
  const [[method, path], [askedMethod, askedPath]] = [partsOf(operation), partsOf(asked)]
  let distance = method === askedMethod ? 0 : 0.5
  for (let index = 0; index < Math.max(path.length, askedPath.length); index++) {
    const [known, given] = [path[index], askedPath[index]]
    if (known === undefined || given === undefined) distance += 1
    else if (!known.includes('{')) distance += leven(known, given) / Math.max(known.length, given.length, 1)
    else distance += 0.25
  }
  return distance
}

function partsOf(operation: string): readonly [method: string, path: readonly string[]] {
  const [method = '', path = ''] = operation.split(' ')
  return [method, path.split('/').filter((segment) => segment !== '')]
}
