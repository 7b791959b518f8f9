import type { JsonValue } from '../../../../engine/json.js'
import type { StreamEvent } from '../../dialect-table.generated.js'
import { TASK_VALUES, type TaskScope } from '../../tasks/task-values.js'
import { compileTemplate, isTrue, type Read, type Values } from '../../template/compile.js'

/** What an event of a stream tells. */
export interface EventScope extends TaskScope {
  readonly part: JsonValue | undefined
  readonly index: number
  /** The number of events before this one. */
  sequence: number
}

/** The values in the templates of events of a stream. */
export const EVENT_VALUES = {
  ...TASK_VALUES,
  part: ({ part }) => part,
  index: ({ index }) => index,
  sequence: ({ sequence }) => sequence,
} satisfies Values<EventScope>

/** Writes events, from the sequence number of the scope on, which it increases. */
export type WriteEvents = (scope: EventScope) => readonly string[]

/**
 * Returns a function that writes events as the HTML standard describes. Data that is no text is written as JSON. An
 * event whose condition does not hold is left out.
 */
export function eventsWriter(given: StreamEvent | readonly StreamEvent[] = []): WriteEvents {
  const writers = [given].flat().map(eventWriter)
  return (scope) =>
    writers.flatMap((write) => {
      const text = write(scope)
      if (text === undefined) return []
      scope.sequence += 1
      return [text]
    })
}

function eventWriter({ if: given = [], event, id, data }: StreamEvent) {
  const conditions = [given].flat().map((each) => compileTemplate<EventScope>(each, EVENT_VALUES))
  const lines = Object.entries({ event, id, data }).flatMap(([name, template]) => {
    return template === undefined ? [] : [lineWriter(name, compileTemplate(template, EVENT_VALUES))]
  })
  return (scope: EventScope): string | undefined => {
    if (!conditions.every((read) => isTrue(read(scope)))) return undefined
    return `${lines.map((write) => write(scope)).join('')}\n`
  }
}

function lineWriter(name: string, read: Read<EventScope>) {
  return (scope: EventScope): string => {
    const value = read(scope)
    if (value === undefined || value === null) return name === 'data' ? 'data: \n' : ''
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text
      .split(/\r\n|\r|\n/)
      .map((part) => `${name}: ${part}\n`)
      .join('')
  }
}
