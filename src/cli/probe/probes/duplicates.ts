import { isEndEvent, type TaskEvent } from '../../../engine/webhooks/events/task-event.js'
import { eventsOf, mainEventOf, nameOf, signed, webhookOf } from '../events.js'
import {
  type Advice,
  concurrently,
  inSequence,
  mustAcceptUnobserved,
  type Probe,
  type ProbeContext,
  type ProbeTools,
} from '../probe.js'

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

/** Duplicate, late and contradictory events. */
export function duplicateProbes(context: ProbeContext): readonly Probe[] {
  const main = mainEventOf(context)
  const twice = (tools: ProbeTools) => [signed(webhookOf(tools), tools), signed(webhookOf(tools), tools)]
  const others = eventsOf(context).filter((event) => event !== main)
  const contradiction = others.find(isEndEvent)
  const interim = others.find((event) => !isEndEvent(event))
  return [
    {
      id: 'duplicate',
      title: 'The same event twice, one after the other',
      expected: '2xx both times',
      run: inSequence(twice),
      assess: mustAcceptUnobserved(REJECTED, UNKNOWN_COUNT),
    },
    {
      id: 'duplicate-at-once',
      title: 'The same event twice at the same time',
      expected: '2xx both times',
      run: concurrently(twice),
      assess: mustAcceptUnobserved(REJECTED, UNKNOWN_COUNT),
    },
    ...(contradiction
      ? [late('out-of-order', 'A second, contradictory event for an ended task', contradiction)]
      : []),
    ...(interim ? [late('late-event', `The event ${nameOf(interim, context)} after the end`, interim)] : []),
  ]
}

function late(id: string, title: string, event: TaskEvent): Probe {
  return {
    id,
    title,
    expected: '2xx both times',
    run: inSequence((tools) => [signed(webhookOf(tools), tools), signed(webhookOf(tools, event), tools)]),
    assess: mustAcceptUnobserved(REJECTED, UNKNOWN_STATE),
  }
}
