import type { JsonObject } from '../../../engine/json.js'
import { queryIn } from '../../../engine/partition.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { DialectTable } from '../model/dialect-table.js'

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
