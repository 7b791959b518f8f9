import type { AnsweredRequest } from '../../engine/events.js'
import type { Entry } from '../../inspect/journal/entry.js'
import type { SimulatorParts } from '../../simulator-parts.js'

/** Restores the last answers about tasks, which faults may repeat, from the journal. */
export function restoreLastAnswers({ active, tasks }: SimulatorParts, entries: readonly Entry[]): void {
  const { lastAnswers } = active.requestPolicy
  const isChange = (entry: Entry) => entry.type === 'control' && entry.what === 'scenario'
  for (const entry of entries.slice(entries.findLastIndex(isChange) + 1)) {
    if (entry.type !== 'request') continue
    const { taskId = '', answeredAt, note } = entry.request
    const task = tasks.get(taskId)
    if (task === undefined || (task.erasedAt ?? -Infinity) >= answeredAt) continue
    if (note.responseBody !== undefined && isAnswer(entry.request))
      lastAnswers.set(taskId, task.owner, note.responseBody)
  }
}

function isAnswer({ operation, status, delivered, note }: AnsweredRequest): boolean {
  if (operation === 'files.download' || status === 0 || status >= 300 || !delivered) return false
  const type = note.headers?.masked(({ response }) => String(response['content-type']))
  return type === undefined || !type.startsWith('text/event-stream')
}
