import { isTerminal, type Status } from '../../engine/tasks/task.js'
import type { ObservedTask } from '../history/observed-task.js'
import type { Trace } from './trace.js'

/** What a recorded text shows: a state that is known, or a word that the dialect does not know. */
interface Shown {
  readonly at: number
  readonly status: Status | undefined
  readonly unknownWord?: string | undefined
}

/**
 * Decides what the unknown words in a trace mean. After the last state that is known not to be the end, they show the end
 * of the task. Before it, the task still runs.
 */
export function withoutUnknownWords(trace: Trace, { status }: Pick<ObservedTask, 'status'>): Trace {
  const texts = [...trace.states, ...trace.answers, ...trace.items, ...trace.webhooks, ...createdIn(trace)]
  if (texts.every((text) => text.unknownWord === undefined)) return trace
  const isOpen = (state: Shown) => state.unknownWord === undefined && !isTerminal(state.status ?? 'queued')
  const lastOpen = trace.states.findLast(isOpen)?.at ?? -Infinity
  const decided = <Text extends Shown>(text: Text): Text => {
    if (text.unknownWord === undefined) return text
    return { ...text, status: text.at > lastOpen ? status : 'processing' }
  }
  return {
    ...trace,
    created: trace.created && decided(trace.created),
    states: trace.states.map(decided),
    answers: trace.answers.map(decided),
    items: trace.items.map(decided),
    webhooks: trace.webhooks.map(decided),
  }
}

function createdIn({ created }: Trace): readonly Shown[] {
  return created === undefined ? [] : [created]
}
