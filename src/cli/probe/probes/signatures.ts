import {
  type FORGERIES,
  WEBHOOK_FAULT_WORDS,
  type WebhookFault,
} from '../../../engine/webhooks/faults/webhook-fault.js'
import { signed, webhookOf } from '../events.js'
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
export function signatureProbes({ rule, isRotating }: ProbeContext): readonly Probe[] {
  if (rule === undefined) return []
  const word = wordFor(rule)
  const altered = (id: string, title: string, change: (correct: string) => string) =>
    forgedProbe(id, title, rule, (tools) => withSignature(tools, rule, change))
  // A header with anything but the signature.
  const hasForm = [...rule.spans.values()].some(({ before, after }) => before + after > 0)
  return [
    rule.hasSecret
      ? forgeryProbe('wrong_signature', 'A signature with another secret', rule)
      : altered('wrong-signature', 'Another key of the same length', otherKey),
    forgeryProbe('no_signature', `No ${word}`, rule),
    forgeryProbe('empty_signature', `An empty ${word}`, rule),
    ...(hasForm
      ? [altered('empty-digest', 'A signature with the correct form and nothing in it', () => '')]
      : []),
    forgeryProbe('malformed_signature', `A malformed ${word}`, rule),
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

/** A genuine webhook with a fault. */
function signedWith(fault: WebhookFault): Build {
  return (tools) => signed(webhookOf(tools), tools, { fault })
}

/** One of the forgeries that `tasksim explore` sends as well. */
export function forgeryProbe(
  word: (typeof FORGERIES)[number],
  title: string,
  rule: SignatureRule,
  advice?: Advice,
): Probe {
  return forgedProbe(word.replaceAll('_', '-'), title, rule, signedWith(WEBHOOK_FAULT_WORDS[word]), advice)
}

function otherKey(key: string): string {
  return key.replace(/./gs, (character) => (character === 'x' ? 'y' : 'x'))
}

const PREVIOUS: Probe = {
  id: 'previous-secret',
  title: 'A signature with the previous secret',
  expected: 'a rejection with 4xx',
  expectsRejection: true,
  run: once(signedWith(WEBHOOK_FAULT_WORDS.previous_secret)),
  assess: mustReject(OLD_SECRET, 'warning'),
}

/** Replaces {@link PREVIOUS} during a rotation. */
const ROTATION: Probe = {
  id: 'previous-secret',
  title: 'A signature with the previous secret, during a rotation',
  expected: '2xx',
  run: once(signedWith(WEBHOOK_FAULT_WORDS.previous_secret)),
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
