import type { Task } from '../../engine/tasks/task.js'
import type { DialectTable } from './dialect-table.js'

/**
 * The URL of the stream of a task. In a sandbox, it contains the id of the sandbox, because the request may have no key.
 * @param base the start of all URLs of the service, up to its prefix
 */
export function streamUrlOf(
  { prefix = '', operations }: DialectTable,
  { id, extra }: Task,
  base: string,
): string | undefined {
  const stream = operations.find(({ action }) => action === 'stream')
  if (stream === undefined) return undefined
  const sandbox = extra?.['sandbox']
  const query = typeof sandbox === 'string' ? `?sandbox=${sandbox}` : ''
  return `${base}${prefix}${stream.path.replace('{task_id}', id)}${query}`
}
