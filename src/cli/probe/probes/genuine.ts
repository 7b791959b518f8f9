import { isEndEvent, type TaskEvent } from '../../../engine/webhooks/events/task-event.js'
import { bodyOf, eventsOf, mainEventOf, nameOf, signed, unknownBody, webhookOf } from '../events.js'
import type { ProbeContext } from '../probe.js'
import { type Advice, type Assessment, isMissing, mustAccept, once, type Probe } from '../probe.js'
import type { ProbeResponse } from '../send-request.js'

const REJECTS_NEW_EVENTS: Advice = {
  why: 'Services add new events. The sender retries a rejected event, and may disable the receiver.',
  remedy: 'Answer unknown events with a 2xx, and ignore them.',
}

const NO_ANSWER: Assessment = {
  mark: 'error',
  why: 'The service cannot deliver any event.',
  remedy: 'Start the receiver, check the URL, and make the receiver answer within --timeout.',
}

/** The end of a title: whether the event has a correct signature. */
export function genuinely({ rule }: ProbeContext): string {
  if (rule === undefined) return ''
  return rule.hasSecret ? ', correctly signed' : ', with the correct key'
}

/** The first probe. The results of the other probes depend on it. */
export function baselineProbe(context: ProbeContext): Probe {
  const accept = mustAccept(rejected(context))
  const { timeout } = context.keys.format
  const slow = slowAfter(timeout)
  return {
    id: 'genuine',
    title: `A genuine event${genuinely(context)}`,
    expected: `2xx within ${slow / 1_000} seconds`,
    run: once((tools) => signed(webhookOf(tools), tools)),
    assess: (responses) => {
      if (responses.some(isMissing)) return NO_ANSWER
      const assessment = accept(responses)
      const isSlow = responses.some(({ took }: ProbeResponse) => took > slow)
      return assessment.mark === 'ok' && isSlow ? tooSlow(timeout) : assessment
    },
  }
}

/** Other events that every receiver must accept: all events of the service, and an unknown one. */
export function genuineProbes(context: ProbeContext): readonly Probe[] {
  const others = eventsOf(context).filter((event) => event !== mainEventOf(context))
  return [...others.map((event) => eventProbe(event, context)), unknownEvent(context)]
}

function eventProbe(event: TaskEvent, context: ProbeContext): Probe {
  const name = nameOf(event, context)
  const isFailure = event === 'task.failed'
  return {
    id: `genuine-${event.slice('task.'.length)}`,
    title: `${name === event ? name : `${name} (${event})`}${genuinely(context)}`,
    expected: '2xx',
    run: once((tools) => signed(webhookOf(tools, event), tools)),
    assess: isFailure ? mustAccept(rejected(context)) : mustAccept(othersRejected(event), 'warning'),
  }
}

function unknownEvent(context: ProbeContext): Probe {
  return {
    id: 'unknown-event',
    title: `An unknown event${genuinely(context)}`,
    expected: '2xx',
    run: once((tools) => {
      const event = mainEventOf(context)
      const body = unknownBody(bodyOf(event, tools.taskId, context), context)
      return signed(webhookOf(tools, event, body), tools)
    }),
    assess: mustAccept(REJECTS_NEW_EVENTS, 'warning'),
  }
}

function othersRejected(event: TaskEvent): Advice {
  if (isEndEvent(event)) return REJECTS_NEW_EVENTS
  return {
    why: 'The service also sends events before the end of a task. It may retry a rejected event, or disable the receiver.',
    remedy: 'Answer the events that you do not need with a 2xx, and ignore them.',
  }
}

function rejected({ rule, keys }: ProbeContext): Advice {
  const retries = keys.format.retriesOf('task.succeeded').length
  return {
    why: `The sender ${retries === 0 ? 'does not retry' : 'retries'} a rejected event${retries === 0 ? ', so it is lost' : `, ${times(retries)}, then drops it`}.`,
    remedy: `Answer 2xx if the ${rule === undefined ? 'event is valid' : rule.hasSecret ? 'signature is correct' : 'key is correct'}. ${signatureRemedy(rule)}If it accepts only known tasks, pass one with --task-id.`,
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function signatureRemedy(rule: ProbeContext['rule']): string {
  if (rule === undefined) return ''
  return rule.hasSecret
    ? 'If the receiver rejects the signature, check that it has the same secret (--webhook-secret), or its public key, and verifies the raw body, as the service describes. '
    : 'If the receiver rejects the key, check that it has the same one. '
}

/** Milliseconds after which a response is slow: a third of the time that the service waits. */
function slowAfter(timeout: number): number {
  return Math.max(1, Math.round(timeout / 3_000)) * 1_000
}

function tooSlow(timeout: number): Assessment {
  return {
    mark: 'warning',
    why: `After ${timeout / 1_000} seconds the sender counts a failure and retries, while the receiver still processes the first event.`,
    remedy: 'Answer first and process the event later: put it in a queue.',
  }
}
