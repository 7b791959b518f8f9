import type { SignedAttempt } from '../../../engine/webhooks/sign-attempt.js'
import type { WebhookFault } from '../../../engine/webhooks/webhook-fault.js'
import { type Advice, mustAccept, mustReject } from '../assess.js'
import { bytesOf, eventFor, type ProbeContext, requestFor, sign } from '../context.js'
import { once, type Probe } from '../probe.js'

const FORGED: Advice = {
  why: 'Anyone who knows the URL can report the success, failure or output of a task to the app.',
  remedy: 'Verify the signature of the raw body first, and answer 401 if it is wrong.',
}

const OLD_SECRET: Advice = {
  why: 'A leaked secret still works after it was replaced.',
  remedy: 'Remove the previous secret from the receiver after the rotation.',
}

const NEW_SECRET_ONLY: Advice = {
  why: 'During a rotation, events with the previous signature still arrive, and the receiver loses them.',
  remedy: 'Accept both secrets until the end of the rotation.',
}

/** Invalid signatures. */
export const SIGNATURES: readonly Probe[] = [
  forged('wrong-signature', 'A signature with another secret', withWebhookFault({ signature: 'wrong' })),
  forged('no-signature', 'No signature', withWebhookFault({ signature: 'missing' })),
  forged('empty-signature', 'An empty signature', withWebhookFault({ signature: 'empty' })),
  forged('malformed-signature', 'A malformed signature', withWebhookFault({ signature: 'malformed' })),
  forged(
    'other-alphabet',
    'A signature of the correct length without hex digits',
    alteredSignature((correct) => correct.replace(/./gs, 'z')),
  ),
  forged(
    'short-signature',
    'The first half of the correct signature',
    alteredSignature((correct) => correct.slice(0, correct.length / 2)),
  ),
  forged(
    'long-signature',
    'The correct signature plus one byte',
    alteredSignature((correct) => `${correct}ff`),
  ),
  forged(
    'endless-signature',
    'A signature of 4,000 characters',
    alteredSignature((correct) => correct.padEnd(4_000, 'f')),
  ),
  {
    id: 'previous-secret',
    title: 'A signature with the previous secret',
    expected: 'a rejection with 4xx',
    expectsRejection: true,
    run: previousSecret(),
    assess: mustReject(OLD_SECRET, 'warning'),
  },
]

/** Replaces the probe `previous-secret` during a rotation. */
export const ROTATION: Probe = {
  id: 'previous-secret',
  title: 'A signature with the previous secret, during a rotation',
  expected: '2xx',
  run: previousSecret(),
  assess: mustAccept(NEW_SECRET_ONLY),
}

type SignBody = (body: Uint8Array<ArrayBuffer>, context: ProbeContext) => SignedAttempt

/** A genuine body with an invalid signature. */
export function forged(id: string, title: string, forge: SignBody, advice = FORGED): Probe {
  return {
    id,
    title,
    expected: 'a rejection with 4xx',
    expectsRejection: true,
    run: once(({ context, taskId }) =>
      requestFor(forge(bytesOf(eventFor('task.succeeded', taskId)), context)),
    ),
    assess: mustReject(advice),
  }
}

/** Signs a body and applies a webhook fault to it. */
export function withWebhookFault(fault: WebhookFault): SignBody {
  return (body, context) => sign(body, context, fault)
}

/** Signs a body, and changes the signature. */
export function alteredSignature(change: (correct: string) => string): SignBody {
  return (body, context) => {
    const headers = Object.entries(sign(body, context).headers)
    return { body, headers: Object.fromEntries(headers.map(([name, value]) => [name, change(value)])) }
  }
}

function previousSecret(): Probe['run'] {
  return once(({ context, taskId }) => {
    const body = bytesOf(eventFor('task.succeeded', taskId))
    return requestFor(sign(body, context, { signature: 'previous_secret' }))
  })
}
