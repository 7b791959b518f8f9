import { oncePer } from '../../../engine/once-per.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { DialectTable } from '../model/dialect-table.js'
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
