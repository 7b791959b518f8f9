import { STATUSES, type Status } from '../../../engine/tasks/task.js'
import type { DialectTable } from '../model/dialect-table.js'

/** All words of a state: the usual one, that of a task behind others, and those of errors and variants. */
export function wordsOf(statuses: DialectTable['statuses'], status: Status): readonly string[] {
  const { word, by_error: byError = {}, behind = word, variants = [] } = statuses[status]
  return [word, behind, ...Object.values(byError), ...variants.map((variant) => variant.word)]
}

/** The words of all states. */
export function allWords(statuses: DialectTable['statuses']): readonly string[] {
  return [...new Set(STATUSES.flatMap((status) => wordsOf(statuses, status)))]
}
