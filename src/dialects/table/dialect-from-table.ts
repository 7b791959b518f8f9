import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { LiveTasks } from '../../engine/progress/live-tasks.js'
import { STATUSES, type Status, type Task } from '../../engine/tasks/task.js'
import type { Action } from '../action.js'
import type { AnswerShape, Dialect, DialectRoute } from '../dialect.js'
import { parametersIn } from '../path-parts.js'
import { createAction } from './actions/create-action.js'
import { fixedAction } from './actions/fixed-action.js'
import { groupAction } from './actions/group-actions.js'
import { listAction } from './actions/list-action.js'
import { receiverAction } from './actions/receivers/receiver-actions.js'
import { resultAction } from './actions/result-action.js'
import { partsAction } from './actions/streams/parts-action.js'
import { streamAction } from './actions/streams/stream-action.js'
import { cancelAction, deleteAction, fileAction, retrieveAction } from './actions/task-actions.js'
import { listUploadsAction, oneUploadAction, uploadAction } from './actions/uploads/upload-actions.js'
import { goDuration } from './answers/go-duration.js'
import { errorWriter } from './answers/table-error.js'
import { fieldOf } from './answers/task-writer.js'
import type { DialectTable } from './model/dialect-table.js'
import type { ListTable, RetrieveTable, TableOperation } from './model/operation-table.js'
import { nearestOperations } from './requests/nearest-operations.js'
import { operationPlace } from './requests/operation-place.js'
import { hidesOutput } from './tasks/hides-output.js'
import { allTables, isOfObject, tableOf, tableOfTask } from './tasks/objects.js'
import { marksOf } from './tasks/state-marks.js'
import { wordsOf } from './tasks/status-words.js'
import { taskIdsOf } from './tasks/task-ids.js'
import type { Template } from './template/template.js'
import { tableWebhooks } from './webhooks/webhooks.js'

/** Builds the wire format that a table describes. It compiles all templates at once. */
export function dialectFromTable(table: DialectTable): Dialect {
  const { name, key = {} } = table
  const taskIds = taskIdsOf(table)
  const webhooks = tableWebhooks(table)
  return {
    name,
    table,
    hosts: table.hosts ?? [],
    pollInterval: (task) => tableOfTask(table, task).poll_interval,
    help: (mount, asked) => nearestOperations(operationsOf(table, mount), asked, name),
    routes: routesOf(table, webhooks),
    forward: table.forward,
    requiredHeaders:
      table.require_headers && new Map(table.require_headers.map((name) => [name.toLowerCase(), name])),
    key: { header: key.header ?? 'Authorization', scheme: key.scheme, query: key.query },
    limitHeaders: limitHeadersOf(table),
    outputTimes: table.outputs,
    liveTasks: LiveTasks,
    answers: answerShape(table),
    taskIds,
    error: errorWriter(table.error),
    webhooks,
  }
}

function limitHeadersOf({ rate_limit_headers: form }: DialectTable): Dialect['limitHeaders'] {
  if (form === undefined) return undefined
  const { reset_as: resetAs, ...names } = form
  return { ...names, writeReset: resetAs === 'duration' ? goDuration : undefined }
}

function operationsOf({ prefix = '', operations }: DialectTable, mount: string): readonly string[] {
  return operations.map(({ method, path }) => `${method} ${mount}${prefix}${path}`)
}

function routesOf(table: DialectTable, webhooks: Dialect['webhooks']): DialectRoute[] {
  const byPath = new Map<string, Record<string, Action>>()
  for (const operation of table.operations) {
    const path = (table.prefix ?? '') + operation.path
    const methods = byPath.get(path) ?? {}
    const action = actionOf(tableOf(table, operation.object), operation, path, webhooks)
    methods[operation.method] = table.objects === undefined ? action : withOwner(action, operation.object)
    byPath.set(path, methods)
  }
  return [...byPath].map(([path, methods]) => ({ path, methods, ...patternsOf(table, path) }))
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
  operation: TableOperation,
  path: string,
  webhooks: Dialect['webhooks'],
): Action {
  const place = operationPlace(table, path)
  switch (operation.action) {
    case 'create':
      return createAction(table, operation, place)
    case 'retrieve':
      return retrieveAction(table, operation, place)
    case 'result':
      return resultAction(table, operation, place)
    case 'cancel':
      return cancelAction(table, operation, place)
    case 'delete':
      return deleteAction(table, operation, place)
    case 'list':
      return listAction(table, operation, place)
    case 'stream':
      return streamAction(table, operation, place)
    case 'parts':
      return partsAction(table, operation, place)
    case 'file':
      return fileAction(table, operation, place)
    case 'upload':
      return uploadAction(table, operation, place)
    case 'retrieve_upload':
    case 'delete_upload':
      return oneUploadAction(table, operation, place)
    case 'list_uploads':
      return listUploadsAction(table, operation, place)
    case 'create_receiver':
    case 'retrieve_receiver':
    case 'update_receiver':
    case 'delete_receiver':
    case 'ping_receiver':
    case 'rotate_secret':
    case 'list_receivers':
      return receiverAction(table, operation, place)
    case 'count':
    case 'cancel_queued':
      return groupAction(operation, place, table.name)
    case 'fixed':
      return fixedAction(operation, place, webhooks)
  }
}

/** Where answers hold tasks: the fields whose values are `{{tasks}}`, `{{task}}`, `{{id}}` and `{{status}}`. */
function answerShape(table: DialectTable): AnswerShape {
  const { task, statuses, operations } = table
  const list = operations.find(
    (operation): operation is TableOperation & ListTable => operation.action === 'list',
  )
  const poll = operations.find(
    (operation): operation is TableOperation & RetrieveTable => operation.action === 'retrieve',
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
