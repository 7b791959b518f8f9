import { judge, seenAt } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { isAccepted } from '../story.js'

/** A webhook is accepted that was signed with the secret before the present one. */
export const acceptsOldSecret: FindingRule = {
  id: 'accepts-old-secret',
  severity: 'note',
  title: 'A webhook that is signed with the old secret is accepted',
  why: 'While a secret is being rotated this is right. Later, whoever knows the old one can forge webhooks.',
  remedy: 'Take the old secret out of the configuration as soon as the rotation is over.',
  look: ({ sent }) =>
    judge(
      sent.filter(({ attempt }) => attempt.flaw === 'previous_secret'),
      (one) =>
        isAccepted(one.attempt)
          ? seenAt(one, `A webhook that the old secret has signed was answered with ${one.attempt.status}.`)
          : undefined,
    ),
}
