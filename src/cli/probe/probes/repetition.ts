import { bytesOf, eventFor, genuine } from '../context.js'
import { type Advice, mustAcceptUnseen } from '../judges.js'
import { atOnce, inTurn, type Probe, type ProbeTools } from '../probe.js'

const REFUSED: Advice = {
  why: 'Webhooks come at least once and in any order. What is refused is sent again and again, in vain.',
  remedy: 'Acknowledge an event that you have had already with a 2xx, and do nothing.',
}

const TWICE: Advice = {
  why: 'Whether the second one did something again, such as a charge or a mail, cannot be seen from outside.',
  remedy: 'Look whether the app did its work once: keep the ids of tasks that are done, in one atomic step.',
}

const ORDER: Advice = {
  why: 'Whether the late event has overwritten the state that was final cannot be seen from outside.',
  remedy: 'Look whether the app kept the first final state: a task that has ended does not change any more.',
}

/** What a sender repeats, and what it mixes up. */
export const REPETITION: readonly Probe[] = [
  {
    id: 'duplicate',
    title: 'The same event twice, one after the other',
    expected: '2xx both times',
    run: inTurn((tools) => [succeeded(tools), succeeded(tools)]),
    judge: mustAcceptUnseen(REFUSED, TWICE),
  },
  {
    id: 'duplicate-at-once',
    title: 'The same event twice at the same time',
    expected: '2xx both times',
    run: atOnce((tools) => [succeeded(tools), succeeded(tools)]),
    judge: mustAcceptUnseen(REFUSED, TWICE),
  },
  {
    id: 'out-of-order',
    title: 'A second, contradicting event of a task that has ended',
    expected: '2xx both times',
    run: inTurn((tools) => [succeeded(tools), failed(tools)]),
    judge: mustAcceptUnseen(REFUSED, ORDER),
  },
]

function succeeded({ context, taskId }: ProbeTools) {
  return genuine(bytesOf(eventFor('task.succeeded', taskId)), context)
}

function failed({ context, taskId }: ProbeTools) {
  return genuine(bytesOf(eventFor('task.failed', taskId)), context)
}
