import type { EventName } from '../../../engine/webhooks/event.js'
import { bytesOf, eventFor, genuine } from '../context.js'
import type { Echo } from '../exchange.js'
import { type Advice, isSilent, mustAccept } from '../judges.js'
import { type Opinion, once, type Probe, type ProbeTools } from '../probe.js'

/** Milliseconds after which an acknowledgement is slow; the service waits for 15 seconds. */
const SLOW = 5_000

const REFUSED: Advice = {
  why: 'A genuine event that is refused is sent again three times, and then lost.',
  remedy:
    'Answer 2xx once the signature is right. If it is: is this the secret that the receiver knows (--webhook-secret), and does it compute HMAC-SHA256 over the raw body? If it knows only tasks of its own, name one with --task-id.',
}

const UNKNOWN: Advice = {
  why: 'Services add events. One that is refused is sent again and again, and may get the receiver switched off.',
  remedy: 'Acknowledge what you do not know with a 2xx, and ignore it.',
}

const accept = mustAccept(REFUSED)

/** The event that all others are compared with. */
export const BASELINE: Probe = {
  id: 'genuine',
  title: 'A genuine event, rightly signed',
  expected: '2xx within 5 seconds',
  run: once((tools) => event(tools, 'task.succeeded')),
  judge: (echoes) => {
    if (echoes.some(isSilent)) return UNREACHABLE
    const opinion = accept(echoes)
    return opinion.mark === 'ok' && echoes.some(isSlow) ? TOO_SLOW : opinion
  },
}

const UNREACHABLE: Opinion = {
  mark: 'error',
  why: 'No event can be delivered there.',
  remedy: 'Start the receiver, check the URL, and let it answer within the --timeout.',
}

const TOO_SLOW: Opinion = {
  mark: 'warning',
  why: 'After 15 seconds the sender takes it for a failure and sends the event again, while the first is still worked on.',
  remedy: 'Acknowledge first, and work on the event afterwards: put it in a queue.',
}

/** What every receiver must accept. */
export const GENUINE: readonly Probe[] = [
  {
    id: 'genuine-failed',
    title: 'task.failed, rightly signed',
    expected: '2xx',
    run: once((tools) => event(tools, 'task.failed')),
    judge: accept,
  },
  {
    id: 'genuine-canceled',
    title: 'task.canceled, rightly signed',
    expected: '2xx',
    run: once((tools) => event(tools, 'task.canceled')),
    judge: mustAccept(UNKNOWN, 'warning'),
  },
  {
    id: 'unknown-event',
    title: 'An event that is not known yet, rightly signed',
    expected: '2xx',
    run: once(({ context, taskId }) =>
      genuine(bytesOf({ event: 'task.archived', task: { id: taskId, status: 'archived' } }), context),
    ),
    judge: mustAccept(UNKNOWN, 'warning'),
  },
]

function event({ context, taskId }: ProbeTools, name: EventName) {
  return genuine(bytesOf(eventFor(name, taskId)), context)
}

function isSlow({ took }: Echo): boolean {
  return took > SLOW
}
