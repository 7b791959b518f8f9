import { oncePer } from '../../engine/once-per.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Action } from '../action.js'
import type { Dialect, DialectRoute } from '../dialect.js'
import { parametersIn } from '../path-parts.js'
import { createAction } from './actions/create-action.js'
import { listAction } from './actions/list-action.js'
import { cancelAction, retrieveAction } from './actions/task-actions.js'
import { answerShape } from './answers/answer-shape.js'
import { goDuration } from './answers/go-duration.js'
import { errorWriter } from './answers/table-error.js'
import type { DialectTable } from './model/dialect-table.js'
import type { TableOperation } from './model/operation-table.js'
import type { RareParts } from './rare-parts.js'
import { nearestOperations } from './requests/nearest-operations.js'
import { operationPlace } from './requests/operation-place.js'
import { errorForm } from './scenario-settings.js'
import { isOfObject, tableOf, tableOfTask } from './tasks/objects.js'
import { taskIdsOf } from './tasks/task-ids.js'
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
  operation: TableOperation,
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
