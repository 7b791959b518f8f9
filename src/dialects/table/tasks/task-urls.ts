import type { JsonObject } from '../../../engine/json.js'
import { queryIn } from '../../../engine/partition.js'
import { oncePer } from '../../../engine/recent.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { DialectTable } from '../dialect-table.generated.js'
import { compileTemplate, type Values } from '../template/compile.js'

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
