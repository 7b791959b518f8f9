import type { WebhookFault } from '../../../engine/webhooks/faults/webhook-fault.js'
import { requestFor, signed, webhookOf } from '../events.js'
import {
  type Advice,
  mustAccept,
  mustReject,
  once,
  type Probe,
  type ProbeContext,
  type ProbeTools,
} from '../probe.js'
import type { ProbeRequest } from '../send-request.js'
import { changeSignature, type SignatureRule } from '../signature-rule.js'

const FORGED: Advice = {
  why: 'Anyone who knows the URL can report the success, failure or output of a task to the app.',
  remedy: 'Verify the signature of the raw body first, and answer 401 if it is wrong.',
}

const WRONG_KEY: Advice = {
  why: FORGED.why,
  remedy: 'Compare the whole key first, in constant time, and answer 401 if it is wrong.',
}

const OLD_SECRET: Advice = {
  why: 'A leaked secret still works after it was replaced.',
  remedy: 'Remove the previous secret from the receiver after the rotation.',
}

const NEW_SECRET_ONLY: Advice = {
  why: 'During a rotation, events with the previous signature still arrive, and the receiver loses them.',
  remedy: 'Accept both secrets until the end of the rotation.',
}

/** Invalid signatures, or invalid keys of a service that sends a fixed key. */
export function signatureProbes({ rule, isRotating, keys }: ProbeContext): readonly Probe[] {
  if (rule === undefined) return []
  const word = wordFor(rule)
  const forged = (id: string, title: string, build: Build) => forgedProbe(id, title, rule, build)
  const altered = (id: string, title: string, change: (correct: string) => string) =>
    forged(id, title, (tools) => withSignature(tools, rule, change))
  const { malformed } = keys.format
  // A header with anything but the signature.
  const hasForm = [...rule.places.values()].some(({ before, after }) => before + after > 0)
  return [
    rule.hasSecret
      ? forged('wrong-signature', 'A signature with another secret', signedWith('wrong'))
      : altered('wrong-signature', 'Another key of the same length', otherKey),
    forged('no-signature', `No ${word}`, signedWith('missing')),
    forged('empty-signature', `An empty ${word}`, (tools) => withHeaders(tools, rule, () => '')),
    ...(hasForm
      ? [altered('empty-digest', 'A signature with the correct form and nothing in it', () => '')]
      : []),
    forged('malformed-signature', `A malformed ${word}`, (tools) =>
      withHeaders(tools, rule, (name) => malformed[name] ?? 'not-a-signature'),
    ),
    altered('short-signature', `The first half of the correct ${word}`, (correct) =>
      correct.slice(0, correct.length / 2),
    ),
    altered('long-signature', `The correct ${word} plus one byte`, (correct) => `${correct}ff`),
    altered('endless-signature', `A ${word} of 4,000 characters`, (correct) => correct.padEnd(4_000, 'f')),
    ...(rule.hasSecret
      ? [
          altered('other-alphabet', 'A signature of the correct length with one letter only', (correct) =>
            correct.replace(/./gs, 'z'),
          ),
          isRotating ? ROTATION : PREVIOUS,
        ]
      : []),
  ]
}

type Build = (tools: ProbeTools) => Promise<ProbeRequest>

/** A genuine webhook with a fault of its signature. */
export function signedWith(signature: NonNullable<WebhookFault['signature']>): Build {
  return (tools) => signed(webhookOf(tools), tools, { fault: { signature } })
}

function otherKey(key: string): string {
  return key.replace(/./gs, (character) => (character === 'x' ? 'y' : 'x'))
}

const PREVIOUS: Probe = {
  id: 'previous-secret',
  title: 'A signature with the previous secret',
  expected: 'a rejection with 4xx',
  expectsRejection: true,
  run: once(signedWith('previous_secret')),
  assess: mustReject(OLD_SECRET, 'warning'),
}

/** Replaces {@link PREVIOUS} during a rotation. */
const ROTATION: Probe = {
  id: 'previous-secret',
  title: 'A signature with the previous secret, during a rotation',
  expected: '2xx',
  run: once(signedWith('previous_secret')),
  assess: mustAccept(NEW_SECRET_ONLY),
}

/** What a service sends to prove that a webhook is genuine. */
export function wordFor({ hasSecret }: SignatureRule): string {
  return hasSecret ? 'signature' : 'key'
}

/** A webhook that a correct receiver rejects as forged. */
export function forgedProbe(
  id: string,
  title: string,
  rule: SignatureRule,
  build: Build,
  advice = rule.hasSecret ? FORGED : WRONG_KEY,
): Probe {
  return {
    id,
    title,
    expected: 'a rejection with 4xx',
    expectsRejection: true,
    run: once(build),
    assess: mustReject(advice),
  }
}

/** A genuine webhook with another signature. */
export async function withSignature(
  tools: ProbeTools,
  rule: SignatureRule,
  change: (correct: string) => string,
  webhook = webhookOf(tools),
): Promise<ProbeRequest> {
  const { body, headers } = await signed(webhook, tools)
  return { body, headers: changeSignature(headers, rule, change) }
}

/** A genuine webhook with other values in the headers with the signature. */
async function withHeaders(
  tools: ProbeTools,
  { places }: SignatureRule,
  write: (name: string) => string,
): Promise<ProbeRequest> {
  const { body, headers } = await signed(webhookOf(tools), tools)
  const replaced = [...places.keys()].map((name) => [name, write(name)])
  return requestFor(body, { ...headers, ...Object.fromEntries(replaced) })
}
