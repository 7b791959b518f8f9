import { oncePer } from '../../../engine/recent.js'
import { isTerminal, STATUSES, type Status, type Task } from '../../../engine/tasks/task.js'
import type { DialectTable, StatusForm, StatusVariant } from '../dialect-table.generated.js'
import { compileTemplate, isTrue, type Read } from '../template/compile.js'
import { TASK_VALUES, type TaskScope } from './task-values.js'

/** The form of a task: that of its state, or that of a variant of the state. */
export interface TaskForm {
  /** The state, and the number of the variant after a dot, such as `succeeded.0`. */
  readonly key: string
  readonly status: Status
  /** The index of the variant. */
  readonly variant: number | undefined
}

/** All forms of the tasks of a table. */
export function formsOf(statuses: DialectTable['statuses']): readonly TaskForm[] {
  return (Object.keys(statuses) as Status[]).flatMap((status) => {
    const { variants = [] } = statuses[status]
    const others = variants.map((_, variant) => ({ key: `${status}.${variant}`, status, variant }))
    return [{ key: status, status, variant: undefined }, ...others]
  })
}

/** The variant of a state whose form has a key; undefined for the state itself. */
export function variantWithKey(statuses: DialectTable['statuses'], key: string): StatusVariant | undefined {
  const form = formsOf(statuses).find((form) => form.key === key)
  return form?.variant === undefined ? undefined : statuses[form.status].variants?.[form.variant]
}

/** The values of a scope that depend on the variant of its task's state. */
export type VariantValues = Pick<TaskScope, 'form' | 'word'>

/** Adds to a scope what depends on the state of its task. */
export function withState<Scope extends Omit<TaskScope, keyof VariantValues | 'codes'>>(
  table: DialectTable,
  scope: Scope,
): Scope & VariantValues & Pick<TaskScope, 'codes'> {
  const { statuses } = table
  const { task } = scope
  const { codes } = statuses[task.status]
  const known = { ...scope, form: task.status, word: wordOf(statuses, task), codes }
  return { ...known, ...variantOf(table, known) }
}

/**
 * What depends on the variant of a task's state; undefined if none applies.
 * @param scope has the values of the state without its variants
 */
export function variantOf({ statuses }: DialectTable, scope: TaskScope): VariantValues | undefined {
  const { status } = scope.task
  const { variants = [] } = statuses[status]
  const index = conditionsOf(variants).findIndex((read) => isTrue(read(scope)))
  const variant = variants[index]
  return variant && { form: `${status}.${index}`, word: unknownEndOf(scope.task) ?? variant.word }
}

/**
 * The state of a task in the words of the service, apart from its variants.
 * @param position how many tasks wait before it
 */
export function wordOf(statuses: DialectTable['statuses'], task: Task, position = 0): string {
  const { status, error } = task
  const unknown = unknownEndOf(task)
  if (unknown !== undefined) return unknown
  const { word, by_error: byError, behind } = statuses[status]
  if (behind !== undefined && position > 0) return behind
  if (byError === undefined || error === undefined || !Object.hasOwn(byError, error.code)) return word
  return byError[error.code] ?? word
}

/** The word with which a recorded task has ended, if the table does not have it. */
function unknownEndOf({ status, plan }: Task): string | undefined {
  return isTerminal(status) ? plan.recorded?.endWord : undefined
}

type Variants = NonNullable<StatusForm['variants']>

/** The conditions of variants, compiled on first use. */
const conditionsOf = oncePer((variants: Variants) =>
  variants.map(({ if: given }): Read<TaskScope> => compileTemplate(given, TASK_VALUES)),
)

/** All words of a state: the usual one, that of a task behind others, and those of errors and variants. */
export function wordsOf(statuses: DialectTable['statuses'], status: Status): readonly string[] {
  const { word, by_error: byError = {}, behind = word, variants = [] } = statuses[status]
  return [word, behind, ...Object.values(byError), ...variants.map((variant) => variant.word)]
}

/** The words of all states. */
export function allWords(statuses: DialectTable['statuses']): readonly string[] {
  return [...new Set(STATUSES.flatMap((status) => wordsOf(statuses, status)))]
}
