import type { Simulator } from '../simulator.js'

/** What to add where a task is not found: that it may be one of those that were forgotten. Empty where none was. */
export function perhapsForgotten({ tasks }: Simulator): string {
  if (!tasks.hasForgotten) return ''
  return ` The last ${tasks.keep} tasks that have ended are kept, older ones are forgotten: raise \`keepTasks\`, or --keep-tasks, to keep more.`
}
