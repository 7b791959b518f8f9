import type { Entry } from '../../inspect/journal/entry.js'
import { isScenarioChange, shownIn } from '../../inspect/journal/last-answer.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'

/** Restores the last answers about tasks, which the rules of the scenario may repeat, from the journal. */
export function restoreLastAnswers({ active, tasks }: SimulatorParts, entries: readonly Entry[]): void {
  const { lastAnswers } = active.requestPolicy
  for (const entry of entries.slice(entries.findLastIndex(isScenarioChange) + 1)) {
    if (entry.type !== 'request') continue
    const { taskId = '', answeredAt } = entry.request
    const task = tasks.get(taskId)
    if (task === undefined || (task.erasedAt ?? -Infinity) >= answeredAt) continue
    const shown = shownIn(entry.request)
    if (shown !== undefined) lastAnswers.set(taskId, task.owner, shown)
  }
}
