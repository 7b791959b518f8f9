import { isEndEvent, type TaskEvent } from '../../../engine/webhooks/events/task-event.js'
import { bodyOf, eventsOf, mainEventOf, nameOf, signed, unknownBody, webhookOf } from '../events.js'
import {
  type Advice,
  type Assessment,
  isMissing,
  mustAccept,
  once,
  type Probe,
  type ProbeContext,
  type ProbeTools,
} from '../probe.js'
import type { ProbeRequest, ProbeResponse } from '../send-request.js'

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
function genuinely({ rule }: ProbeContext): string {
  if (rule === undefined) return ''
  return rule.hasSecret ? ', correctly signed' : ', with the correct key'
}

/** A probe with a webhook that has a correct signature; by default, a genuine event. */
export function genuineProbe(
  context: ProbeContext,
  id: string,
  title: string,
  assess: Probe['assess'],
  build: (tools: ProbeTools) => Promise<ProbeRequest> = (tools) => signed(webhookOf(tools), tools),
): Probe {
  return { id, title: `${title}${genuinely(context)}`, expected: '2xx', run: once(build), assess }
}

/** The first probe. The results of the other probes depend on it. */
export function baselineProbe(context: ProbeContext): Probe {
  const accept = mustAccept(rejected(context))
  const { timeout } = context.keys.format
  const slow = slowAfter(timeout)
  const assess = (responses: readonly ProbeResponse[]) => {
    if (responses.some(isMissing)) return NO_ANSWER
    const assessment = accept(responses)
    const isSlow = responses.some(({ took }) => took > slow)
    return assessment.mark === 'ok' && isSlow ? tooSlow(timeout) : assessment
  }
  const probe = genuineProbe(context, 'genuine', 'A genuine event', assess)
  return { ...probe, expected: `2xx within ${slow / 1_000} seconds` }
}

/** Other events that every receiver must accept: all events of the service, and an unknown one. */
export function genuineProbes(context: ProbeContext): readonly Probe[] {
  const main = mainEventOf(context)
  const others = eventsOf(context).filter((event) => event !== main)
  const unknown = mustAccept(REJECTS_NEW_EVENTS, 'warning')
  return [
    ...others.map((event) => eventProbe(event, context)),
    genuineProbe(context, 'unknown-event', 'An unknown event', unknown, (tools) => {
      const body = unknownBody(bodyOf(main, tools.taskId, context), context)
      return signed(webhookOf(tools, main, body), tools)
    }),
  ]
}

function eventProbe(event: TaskEvent, context: ProbeContext): Probe {
  const name = nameOf(event, context)
  const assess =
    event === 'task.failed' ? mustAccept(rejected(context)) : mustAccept(othersRejected(event), 'warning')
  const title = name === event ? name : `${name} (${event})`
  return genuineProbe(context, `genuine-${event.slice('task.'.length)}`, title, assess, (tools) =>
    signed(webhookOf(tools, event), tools),
  )
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
