import type { EventName } from '../../../scenario/model/events.js'
import { type Advice, isMissing, mustAccept } from '../assess.js'
import { bytesOf, eventFor, genuine } from '../context.js'
import { type Assessment, once, type Probe, type ProbeTools } from '../probe.js'
import type { ProbeResponse } from '../send-request.js'

/** Milliseconds after which a response is slow; the service waits for 15 seconds. */
const SLOW = 5_000

const REJECTED: Advice = {
  why: 'The sender retries a rejected event three times, then drops it.',
  remedy:
    'Answer 2xx if the signature is correct. If the receiver rejects the signature, check that it has the same secret (--webhook-secret) and computes HMAC-SHA256 over the raw body. If it accepts only known tasks, pass one with --task-id.',
}

const REJECTS_NEW_EVENTS: Advice = {
  why: 'Services add new events. The sender retries a rejected event, and may disable the receiver.',
  remedy: 'Answer unknown events with a 2xx, and ignore them.',
}

const accept = mustAccept(REJECTED)

/** The first probe. The results of the other probes depend on it. */
export const BASELINE: Probe = {
  id: 'genuine',
  title: 'A genuine event, correctly signed',
  expected: '2xx within 5 seconds',
  run: once((tools) => event(tools, 'task.succeeded')),
  assess: (responses) => {
    if (responses.some(isMissing)) return NO_ANSWER
    const assessment = accept(responses)
    return assessment.mark === 'ok' && responses.some(isSlow) ? TOO_SLOW : assessment
  },
}

const NO_ANSWER: Assessment = {
  mark: 'error',
  why: 'The service cannot deliver any event.',
  remedy: 'Start the receiver, check the URL, and make the receiver answer within --timeout.',
}

const TOO_SLOW: Assessment = {
  mark: 'warning',
  why: 'After 15 seconds the sender counts a failure and retries, while the receiver still processes the first event.',
  remedy: 'Answer first and process the event later: put it in a queue.',
}

/** Events that every receiver must accept. */
export const GENUINE: readonly Probe[] = [
  {
    id: 'genuine-failed',
    title: 'task.failed, correctly signed',
    expected: '2xx',
    run: once((tools) => event(tools, 'task.failed')),
    assess: accept,
  },
  {
    id: 'genuine-canceled',
    title: 'task.canceled, correctly signed',
    expected: '2xx',
    run: once((tools) => event(tools, 'task.canceled')),
    assess: mustAccept(REJECTS_NEW_EVENTS, 'warning'),
  },
  {
    id: 'unknown-event',
    title: 'An unknown event, correctly signed',
    expected: '2xx',
    run: once(({ context, taskId }) =>
      genuine(bytesOf({ event: 'task.archived', task: { id: taskId, status: 'archived' } }), context),
    ),
    assess: mustAccept(REJECTS_NEW_EVENTS, 'warning'),
  },
]

function event({ context, taskId }: ProbeTools, name: EventName) {
  return genuine(bytesOf(eventFor(name, taskId)), context)
}

function isSlow({ took }: ProbeResponse): boolean {
  return took > SLOW
}
