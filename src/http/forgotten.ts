import type { Simulator } from '../simulator.js'

/** What to add if a task is not found: that it may have been forgotten. Empty if none was. */
export function perhapsForgotten({ tasks }: Simulator): string {
  if (!tasks.hasForgotten) return ''
  return ` The last ${tasks.keep} tasks that have ended are kept, or fewer if memory is short, and older ones are forgotten: raise \`keepTasks\` and \`keepBytes\`, or --keep-tasks and --keep-bytes, to keep more.`
}
