import { type Advice, mustAcceptUnobserved } from '../assess.js'
import { bytesOf, eventFor, genuine } from '../context.js'
import { concurrently, inSequence, type Probe, type ProbeTools } from '../probe.js'

const REJECTED: Advice = {
  why: 'Webhooks are delivered at least once and in any order. The sender retries a rejected event, and the retries fail too.',
  remedy: 'Answer an event that you have already processed with a 2xx, and ignore it.',
}

const UNKNOWN_COUNT: Advice = {
  why: 'The probe cannot see whether the app processed the event twice, for example charged a customer twice.',
  remedy: 'Check that the app processed it once: record the ids of processed tasks, in one atomic step.',
}

const UNKNOWN_STATE: Advice = {
  why: 'The probe cannot see whether the late event overwrote the final state.',
  remedy: 'Check that the app kept the first final state: an ended task never changes.',
}

/** Duplicate and contradictory events. */
export const DUPLICATES: readonly Probe[] = [
  {
    id: 'duplicate',
    title: 'The same event twice, one after the other',
    expected: '2xx both times',
    run: inSequence((tools) => [succeeded(tools), succeeded(tools)]),
    assess: mustAcceptUnobserved(REJECTED, UNKNOWN_COUNT),
  },
  {
    id: 'duplicate-at-once',
    title: 'The same event twice at the same time',
    expected: '2xx both times',
    run: concurrently((tools) => [succeeded(tools), succeeded(tools)]),
    assess: mustAcceptUnobserved(REJECTED, UNKNOWN_COUNT),
  },
  {
    id: 'out-of-order',
    title: 'A second, contradictory event for an ended task',
    expected: '2xx both times',
    run: inSequence((tools) => [succeeded(tools), failed(tools)]),
    assess: mustAcceptUnobserved(REJECTED, UNKNOWN_STATE),
  },
]

function succeeded({ context, taskId }: ProbeTools) {
  return genuine(bytesOf(eventFor('task.succeeded', taskId)), context)
}

function failed({ context, taskId }: ProbeTools) {
  return genuine(bytesOf(eventFor('task.failed', taskId)), context)
}
