import { readPlace, writePlace } from '../engine/exploration/place.js'
import { formatDuration, shorten } from '../inspect/findings/evidence.js'
import { deviationOf } from './deviations.js'
import type { ObservedRun, PlannedDeviation, RunEnd, RunFacts, RunSpec, TimelineEntry } from './run.js'

/** The number of lines after the deviation that the sentence contains. */
const MAX_LISTED = 4

/**
 * Says what was done to which request, and what the client did after it: its requests, with their times, and how it
 * ended. Tasks have their numbers in place of their ids.
 */
export function describeRun({ deviations }: RunSpec, { facts, end }: ObservedRun): string {
  const { timeline } = facts
  const pivot = timeline[pivotOf(timeline, deviations[0]?.place ?? '')]
  const done = capitalized(deviations.map(describeDeviation).join('; '))
  const ended = `${describeEnd(end).replace(/\.$/, '')}.`
  if (pivot === undefined) return `${done}. The client ${ended}`
  const after = timeline.slice(timeline.indexOf(pivot) + 1)
  const shown = after
    .slice(0, MAX_LISTED)
    .map(({ at, text }) => `${formatDuration(at - pivot.at)} later ${text}`)
  const rest = after.length - MAX_LISTED
  if (rest > 0) shown.push(`${rest} more`)
  const did = shown.length === 0 ? 'Nothing more happens.' : `Then, ${shown.join('; ')}.`
  const sentence = `${done}: ${pivot.text}. ${did} The client ${ended}`
  return withNumbers(sentence, facts)
}

/** A text with the numbers of tasks in place of their ids. */
export function withNumbers(text: string, { tasks }: Pick<RunFacts, 'tasks'>): string {
  return tasks.reduce((all, { id, number }) => all.replaceAll(id, `#${number}`), text)
}

/** Such as `at tasks.create#1 the answer is lost`. */
function describeDeviation({ place, word }: PlannedDeviation): string {
  const at = readPlace(place)
  const title = (at && deviationOf(at.type, word)?.title) ?? `\`${word}\` happens`
  const [, variant] = word.split('.')
  const what = variant === undefined ? title : `${title} (${variant})`
  return at?.type === 'service' ? `from ${writePlace(at.from)} on ${what}` : `at ${place} ${what}`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The index of the line at which the run first differs from the baseline. */
function pivotOf(timeline: readonly TimelineEntry[], deviation: string): number {
  const first = timeline.findIndex(({ isDeviating }) => isDeviating)
  const place = readPlace(deviation)
  if (first >= 0 || place?.type !== 'task') return first
  // A task that is slow or stuck shows nothing but that.
  const create = writePlace({
    type: 'request',
    operation: 'tasks.create',
    number: place.task,
    shows: undefined,
    again: undefined,
  })
  return timeline.findIndex((entry) => entry.place === create)
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
      return `hung${quoted(end.message)}`
    case 'unusable':
      return `could not run${quoted(end.message)}`
  }
}

/** The first line of a message. */
function quoted(message: string): string {
  const [line = ''] = message.trim().split('\n')
  return line === '' ? '' : `: ${shorten(line)}`
}
