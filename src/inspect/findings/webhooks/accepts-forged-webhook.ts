import { judge, seenAt } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { isAccepted, isTrue } from '../story.js'

/** How to say what was wrong with a webhook. */
const FLAWS: Readonly<Record<string, string>> = {
  wrong: 'the signature of another secret',
  missing: 'no signature',
  empty: 'an empty signature',
  malformed: 'a signature that is none',
  truncated: 'half of its body',
  changed: 'a body that was changed after it was signed',
}

/** A webhook is accepted that the service has not signed. */
export const acceptsForgedWebhook: FindingRule = {
  id: 'accepts-forged-webhook',
  severity: 'error',
  title: 'A webhook with a wrong signature is accepted',
  why: 'Whoever finds the address can say that a task has succeeded, with an output of their own.',
  remedy:
    'Compute the HMAC over the raw body, compare it in constant time, and answer 401 where it differs or is missing.',
  look: ({ sent }) =>
    judge(
      sent.filter(({ attempt }) => !isTrue(attempt)),
      (one) => {
        const { status, flaw = '' } = one.attempt
        if (!isAccepted(one.attempt)) return undefined
        return seenAt(one, `A webhook with ${FLAWS[flaw] ?? flaw} was answered with ${status}.`)
      },
    ),
}
