import type { EntryShape } from '../../../control/shapes.js'
import { decisionLabel } from '../requests/decision-label.js'
import { isRefused, statusLabel } from '../requests/request-brief.js'
import type { TimelineEvent } from './timeline.js'

const KINDS: Readonly<Record<string, TimelineEvent['kind']>> = {
  'tasks.create': 'create',
  'tasks.retrieve': 'poll',
  'tasks.result': 'poll',
  'tasks.cancel': 'cancel',
  'files.download': 'download',
}

/** How the timeline calls a request. */
const NAMES: Readonly<Record<string, string>> = {
  'tasks.create': 'creation',
  'tasks.retrieve': 'poll',
  'tasks.result': 'result',
  'tasks.cancel': 'cancellation',
  'files.download': 'download',
}

/** The event of a request on the timeline of its task; none for other entries. */
export function requestEvents(entry: EntryShape, requestLane: number, fileLane: number): TimelineEvent[] {
  if (entry.type !== 'request') return []
  const { operation = '', method, id, at } = entry
  const kind = KINDS[operation] ?? 'request'
  const decision = decisionLabel(entry)
  const name = NAMES[operation] ?? `${method} ${operation}`.trim()
  return [
    {
      kind,
      lane: kind === 'download' ? fileLane : requestLane,
      at: Date.parse(at),
      label: `${name}: ${[statusLabel(entry), decision].filter(Boolean).join(', ')}`,
      ok: !isRefused(entry),
      target: { view: 'requests', id },
    },
  ]
}
