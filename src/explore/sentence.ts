import { formatDuration, shorten } from '../inspect/findings/evidence.js'
import type { ObservedRun, RunEnd, TimelineEntry } from './run.js'

/** The number of requests after the deviation that the sentence lists. */
const MAX_LISTED = 4

/** Says what a client did after the first deviation: its requests, with their times, and how it ended. */
export function describeRun({ facts: { timeline }, end }: ObservedRun): string {
  const index = timeline.findIndex(({ isDeviating }) => isDeviating)
  const deviation = timeline[index]
  if (deviation === undefined) return `The client ${describeEnd(end)}.`.replace(/\.\.$/, '.')
  const after = timeline.slice(index + 1)
  const shown = after.slice(0, MAX_LISTED).map((entry) => describeEntry(entry, deviation.at))
  const more = after.length - shown.length
  if (more > 0) shown.push(`${more} more`)
  const did = shown.length === 0 ? 'sent nothing more' : shown.join('; ')
  return `After ${deviation.text}: ${did}. Then it ${describeEnd(end)}.`.replace(/\.\.$/, '.')
}

function describeEntry({ at, text }: TimelineEntry, since: number): string {
  return `${formatDuration(at - since)} later ${text}`
}

function describeEnd(end: RunEnd): string {
  switch (end.type) {
    case 'success':
      return 'reported success'
    case 'failure': {
      const status = end.status === undefined ? '' : ` with status ${end.status}`
      return `reported failure${status}${quoted(end.message)}`
    }
    case 'crash':
      return `crashed${quoted(end.message)}`
    case 'hang':
      return `made no progress any more and did not end${quoted(end.message)}`
    case 'unusable':
      return `could not run${quoted(end.message)}`
  }
}

/** The first line of a message. */
function quoted(message: string): string {
  const [line = ''] = message.trim().split('\n')
  return line === '' ? '' : `: ${shorten(line)}`
}
