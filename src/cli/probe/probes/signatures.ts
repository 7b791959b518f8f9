import { type Sealed, seal, tamper } from '../../../engine/webhooks/tamper.js'
import type { WebhookFault } from '../../../engine/webhooks/webhook-fault.js'
import { bytesOf, eventFor, type ProbeContext, shotOf } from '../context.js'
import { type Advice, mustAccept, mustRefuse } from '../judges.js'
import { once, type Probe } from '../probe.js'

const FORGED: Advice = {
  why: 'Whoever knows the URL can tell the app that a task has succeeded or failed, and what its output is.',
  remedy: 'Verify the signature of the raw body before anything else, and answer 401 where it is not right.',
}

const OLD_SECRET: Advice = {
  why: 'A secret that was leaked and replaced still opens the door.',
  remedy: 'Take the previous secret out of the receiver when the rotation is over.',
}

const NEW_SECRET_ONLY: Advice = {
  why: 'While a secret is replaced, events that were signed with the one before are still on their way, and get lost.',
  remedy: 'Accept both secrets until the rotation is over.',
}

/** Bad signatures of every kind. */
export const SIGNATURES: readonly Probe[] = [
  forged('wrong-signature', 'A signature with another secret', withWebhookFault({ signature: 'wrong' })),
  forged('no-signature', 'No signature', withWebhookFault({ signature: 'missing' })),
  forged('empty-signature', 'An empty signature', withWebhookFault({ signature: 'empty' })),
  forged('malformed-signature', 'A signature that is none', withWebhookFault({ signature: 'malformed' })),
  forged(
    'other-alphabet',
    'A signature of the right length with no digit in it',
    altered((right) => right.replace(/./gs, 'z')),
  ),
  forged(
    'short-signature',
    'The first half of the right signature',
    altered((right) => right.slice(0, right.length / 2)),
  ),
  forged(
    'long-signature',
    'The right signature and a byte more',
    altered((right) => `${right}ff`),
  ),
  forged(
    'endless-signature',
    'A signature of 4,000 characters',
    altered((right) => right.padEnd(4_000, 'f')),
  ),
  {
    id: 'previous-secret',
    title: 'A signature with the previous secret',
    expected: 'a refusal with a 4xx',
    wantsRefusal: true,
    run: previousSecret(),
    judge: mustRefuse(OLD_SECRET, 'warning'),
  },
]

/** What takes the place of the last of them while a secret is replaced. */
export const ROTATION: Probe = {
  id: 'previous-secret',
  title: 'A signature with the previous secret, during a rotation',
  expected: '2xx',
  run: previousSecret(),
  judge: mustAccept(NEW_SECRET_ONLY),
}

type Sealing = (body: Uint8Array<ArrayBuffer>, context: ProbeContext) => Sealed

/** A genuine body under a signature that is not right. */
export function forged(id: string, title: string, sealing: Sealing, advice = FORGED): Probe {
  return {
    id,
    title,
    expected: 'a refusal with a 4xx',
    wantsRefusal: true,
    run: once(({ context, taskId }) =>
      shotOf(sealing(bytesOf(eventFor('task.succeeded', taskId)), context), context),
    ),
    judge: mustRefuse(advice),
  }
}

/** Signs a body and applies a webhook fault to it. */
export function withWebhookFault(fault: WebhookFault): Sealing {
  return (body, { keys }) => tamper(body, fault, keys)
}

function altered(change: (right: string) => string): Sealing {
  return (body, { keys }) => {
    const { signature = '' } = seal(body, keys)
    return { body, signature: change(signature) }
  }
}

function previousSecret(): Probe['run'] {
  return once(({ context, taskId }) => {
    const body = bytesOf(eventFor('task.succeeded', taskId))
    return shotOf(withWebhookFault({ signature: 'previous_secret' })(body, context), context)
  })
}
