import { fileTypeOf } from '../../../engine/assets/asset.js'
import { isoTime } from '../../../engine/clock/instants.js'
import type { JsonObject } from '../../../engine/json.js'
import { queryIn } from '../../../engine/partition.js'
import type { LogLine } from '../../../engine/progress/log-lines.js'
import { oncePer } from '../../../engine/recent.js'

import type { Task } from '../../../engine/tasks/task.js'
import type { DialectTable } from '../dialect-table.generated.js'
import { compileTemplate, type Values } from '../template/compile.js'
import { TASK_VALUES, type TaskForms, type TaskScope } from './task-values.js'

/** A file of a task, as an answer shows it. */
interface FileScope {
  readonly task: Task
  readonly url: string
  readonly index: number
}

/** The values in the template of a file. */
export const FILE_VALUES = {
  url: ({ url }) => url,
  kind: ({ task }) => task.baseKind,
  name: ({ task, index }) => `${index}.${fileTypeOf(task, index).extension}`,
  content_type: ({ task, index }) => fileTypeOf(task, index).contentType,
  width: ({ task: { media } }) => (media !== undefined && 'width' in media ? media.width : undefined),
  height: ({ task: { media } }) => (media !== undefined && 'height' in media ? media.height : undefined),
  seconds: ({ task: { media } }) => (media !== undefined && 'seconds' in media ? media.seconds : undefined),
} satisfies Values<FileScope>

/** The values in the template of a log line. */
export const LOG_LINE_VALUES = {
  message: ({ message }) => message,
  level: ({ level }) => level,
  time: ({ at }) => isoTime(at),
} satisfies Values<LogLine>

/** The forms of a table, compiled on first use, because few templates need them. */
export const taskForms: (table: DialectTable) => TaskForms = oncePer(compileForms)

function compileForms({
  file = { url: '{{url}}' },
  log_line: line = { message: '{{message}}' },
  results = {},
}: DialectTable): TaskForms {
  const readFile = compileTemplate<FileScope>(file, FILE_VALUES)
  const readLine = compileTemplate<LogLine>(line, LOG_LINE_VALUES)
  const byKind = new Map(
    Object.entries(results).map(([kind, template]) => [
      kind,
      compileTemplate<TaskScope>(template, TASK_VALUES),
    ]),
  )
  return {
    file: (task, url, index) => readFile({ task, url, index }) ?? {},
    logLine: (logged) => readLine(logged) ?? {},
    result: (scope) => {
      // The output of a scenario has the form of the service already.
      const read = scope.task.plan.output === undefined ? byKind.get(scope.task.baseKind) : undefined
      return read === undefined ? scope.output : read(scope)
    },
  }
}

/** A file of a task, and where its URL may begin. */
interface FileUrlScope {
  readonly task: Task
  readonly index: number
  base(): string
}

/** The values in the template of the URL of a file. */
export const FILE_URL_VALUES = {
  id: ({ task }) => task.id,
  index: ({ index }) => index,
  kept: ({ task }) => task.extra?.['kept'],
  base: (scope) => scope.base(),
} satisfies Values<FileUrlScope>

const readerOf = oncePer(({ outputs }: DialectTable) =>
  compileTemplate<FileUrlScope>(outputs?.url ?? null, FILE_URL_VALUES),
)

/** The URL of a file in the form of the service; undefined if the service has no form of its own. */
export function ownFileUrl(table: DialectTable, scope: FileUrlScope): string | undefined {
  return table.outputs?.url === undefined ? undefined : String(readerOf(table)(scope))
}

/**
 * The URL of the stream of a task. It contains the sandbox and the partition, because the request may have no key.
 * @param base the start of all URLs of the service, up to its prefix
 */
export function streamUrlOf(
  { prefix = '', operations }: DialectTable,
  { id, extra }: Task,
  base: string,
): string | undefined {
  const stream = operations.find(({ action }) => action === 'stream')
  if (stream === undefined) return undefined
  const query = queryIn(textIn(extra, 'partition'), sandboxQuery(textIn(extra, 'sandbox')))
  return `${base}${prefix}${stream.path.replace('{task_id}', id)}${query === '' ? '' : `?${query}`}`
}

function sandboxQuery(sandbox: string | undefined): string {
  return sandbox === undefined ? '' : `sandbox=${sandbox}`
}

function textIn(extra: JsonObject | undefined, name: string): string | undefined {
  const value = extra?.[name]
  return typeof value === 'string' ? value : undefined
}
