import type { Task } from '../../engine/tasks/task.js'
import type { DialectTable } from './dialect-table.js'
import { compileTemplate, type Read, type Values } from './template/compile.js'

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

const known = new WeakMap<DialectTable, Read<FileUrlScope>>()

/** The URL of a file in the form of the service; undefined if the service has no form of its own. */
export function ownFileUrl(table: DialectTable, scope: FileUrlScope): string | undefined {
  const { url } = table.outputs ?? {}
  if (url === undefined) return undefined
  const read = known.get(table) ?? compileTemplate<FileUrlScope>(url, FILE_URL_VALUES)
  known.set(table, read)
  return String(read(scope))
}
