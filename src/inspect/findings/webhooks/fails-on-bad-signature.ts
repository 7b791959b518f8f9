import type { Case } from '../case.js'
import { judge, seenAt } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { Sent } from '../story.js'

/** A receiver breaks down on a webhook that it should merely refuse. */
export const failsOnBadSignature: FindingRule = {
  id: 'fails-on-bad-signature',
  severity: 'warning',
  title: 'A bad signature makes the webhook handler fail',
  why: 'An error inside is not a refusal: it wakes people up, and anyone who finds the address can cause it.',
  remedy:
    'Check the form and length of the signature before you compare, before any JSON is parsed; answer 401.',
  look: (record) =>
    judge(badOnes(record), (one) =>
      isServerError(one)
        ? seenAt(one, `A webhook with a flaw (${one.attempt.flaw}) was answered with ${one.attempt.status}.`)
        : undefined,
    ),
}

/** What has a flaw, at receivers that do not fail on everything. */
function badOnes({ sent }: Case): Sent[] {
  const failing = new Set<string>()
  for (const one of sent)
    if (one.attempt.flaw === undefined && isServerError(one)) failing.add(one.delivery.url)
  return sent.filter(({ attempt, delivery }) => attempt.flaw !== undefined && !failing.has(delivery.url))
}

function isServerError({ attempt: { status = 0 } }: Sent): boolean {
  return status >= 500
}
