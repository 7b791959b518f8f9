import leven from 'leven'
import type { JsonObject } from '../../engine/json.js'
import type { LiveTasksCode } from '../../engine/progress/live-part.js'
import { oncePer } from '../../engine/recent.js'
import type { Dialect, KeyLocation, LimitHeaders } from '../dialect.js'
import { answerShape } from './answer-shape.js'
import { headersWriter } from './answers/headers-writer.js'
import { errorWriter } from './answers/table-error.js'
import type { DialectTable, KeyForm } from './dialect-table.generated.js'
import { errorForm } from './scenario-settings.js'
import { tableOfTask } from './tasks/objects.js'
import { taskIdsOf } from './tasks/task-ids.js'
import { TASK_VALUES } from './tasks/task-values.js'
import { namesIn } from './template/compile.js'
import { tableWebhooks } from './webhooks/webhooks.js'

/**
 * Builds the wire format that a table describes.
 * @param liveTasks the code that shows tasks before their end
 */
export function dialectFromTable(table: DialectTable, liveTasks?: LiveTasksCode): Dialect {
  const { name, key = {}, require_headers: required } = table
  return {
    name,
    table,
    hosts: hostsOf(table),
    fileHost: table.file_host,
    pollInterval: (task) => tableOfTask(table, task).poll_interval,
    help: (mount, asked) => table.help ?? nearestOperations(operationsOf(table, mount), asked, name),
    forward: table.forward,
    requiredHeaders: required && new Map(required.map((name) => [name.toLowerCase(), name])),
    key: { ...keyLocation(key), or: key.or?.map(keyLocation) },
    limitHeaders: limitHeadersOf(table),
    outputTimes: table.outputs,
    liveTasks,
    answers: answerShape(table),
    taskIds: taskIdsOf(table),
    error: (rejection, requestId, scenario) => writerOf(errorForm(table, scenario))(rejection, requestId),
    webhooks: tableWebhooks(table),
  }
}

function keyLocation({ header = 'Authorization', scheme, query }: KeyForm): KeyLocation {
  return { header, scheme, query }
}

/**
 * Checks the templates of a table that was not read from a dialect file, such as that of a recording.
 * @throws TemplateError if a placeholder is not valid; UsageError if an answer may not have a header
 */
export function checkTemplates({ title: _, help: __, ...table }: DialectTable): void {
  namesIn(table as object as JsonObject)
  headersWriter(table.headers, TASK_VALUES)
}

/** No operation is below this path: the host of files has nothing else. */
const FILES_ONLY = '/-'

function hostsOf({ hosts = [], file_host: files }: DialectTable): Dialect['hosts'] {
  const isOwn = files !== undefined && !hosts.some(({ origin }) => origin === files)
  return isOwn ? [...hosts, { origin: files, path: FILES_ONLY }] : hosts
}

const writerOf = oncePer(errorWriter)

function limitHeadersOf({ rate_limit_headers: form }: DialectTable): LimitHeaders | undefined {
  if (form === undefined) return undefined
  const { reset_as: resetAs, ...names } = form
  return { ...names, writeReset: resetAs === 'duration' ? goDuration : undefined }
}

function operationsOf({ prefix = '', operations }: DialectTable, mount: string): readonly string[] {
  return operations.map(({ method, path }) => `${method} ${mount}${prefix}${path}`)
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
