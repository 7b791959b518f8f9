import { AGE_OF_OLD } from '../../../engine/webhooks/signing/sign-attempt.js'
import type { WebhookMessage } from '../../../engine/webhooks/webhook-format.js'
import { signed, webhookOf } from '../events.js'
import { type Advice, mustReject, type Probe, type ProbeContext, type ProbeTools } from '../probe.js'
import type { ProbeRequest } from '../send-request.js'
import { type SignatureRule, withSignatureOf } from '../signature-rule.js'
import { forgedProbe, forgeryProbe } from './signatures.js'

const REPLAYED: Advice = {
  why: 'Anyone who has recorded an event can send it again at any time.',
  remedy:
    'Reject an event whose time is more than five minutes away. Some official verifiers leave this check to you.',
}

const UNSIGNED_TIME: Advice = {
  why: 'The receiver does not verify the time of the event, so anyone who has recorded an event can send it again at any time.',
  remedy: 'Compute the signature over the time that the request carries, as the service describes.',
}

const UNSIGNED_ID: Advice = {
  why: 'The receiver does not verify the id of the event, so a recorded event counts as a new one.',
  remedy: 'Compute the signature over the id that the request carries, as the service describes.',
}

/** Webhooks that someone has recorded and sends again, as far as the signature covers the time or the id. */
export function replayProbes({ rule }: ProbeContext): readonly Probe[] {
  if (rule === undefined) return []
  return [...(rule.coversTime ? timeProbes(rule) : []), ...(rule.coversId ? idProbes(rule) : [])]
}

function timeProbes(rule: SignatureRule): Probe[] {
  const title = 'An event that was signed an hour ago'
  return [
    {
      ...forgeryProbe('old_timestamp', title, rule),
      assess: mustReject(REPLAYED, 'warning'),
    },
    forgedProbe(
      'changed-timestamp',
      `${title}, with the current time`,
      rule,
      (tools) => recorded(tools, rule, { at: webhookOf(tools).message.at - AGE_OF_OLD }),
      UNSIGNED_TIME,
    ),
    ...withoutHeaders('no-timestamp', 'No time', rule, rule.timeHeaders, UNSIGNED_TIME),
  ]
}

function idProbes(rule: SignatureRule): Probe[] {
  return [
    forgedProbe(
      'changed-id',
      'An event with another id than the signed one',
      rule,
      (tools) => recorded(tools, rule, { id: webhookOf(tools).message.id.replace(/.$/, '_') }),
      UNSIGNED_ID,
    ),
    ...withoutHeaders('no-id', 'No id', rule, rule.idHeaders, UNSIGNED_ID),
  ]
}

/** A webhook with the signature of another one. */
async function recorded(
  tools: ProbeTools,
  rule: SignatureRule,
  change: Partial<WebhookMessage>,
): Promise<ProbeRequest> {
  const webhook = webhookOf(tools)
  const { body, headers } = await signed(webhook, tools)
  const other = await signed({ ...webhook, message: { ...webhook.message, ...change } }, tools)
  return { body, headers: withSignatureOf(other.headers, headers, rule) }
}

function withoutHeaders(
  id: string,
  title: string,
  rule: SignatureRule,
  names: readonly string[],
  advice: Advice,
): Probe[] {
  if (names.length === 0) return []
  const buildRequest = async (tools: ProbeTools) => {
    const { body, headers } = await signed(webhookOf(tools), tools)
    const others = Object.entries(headers).filter(([name]) => !names.includes(name))
    return { body, headers: Object.fromEntries(others) }
  }
  return [forgedProbe(id, `${title}: without ${names.join(', ')}`, rule, buildRequest, advice)]
}
