import { judge, seenAt, short } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { isAnswered } from '../story.js'

/** A receiver sends a webhook on to somewhere else. */
export const redirectsWebhook: FindingRule = {
  id: 'redirects-webhook',
  severity: 'error',
  title: 'A webhook is answered with a redirect',
  why: 'The service follows none: to it, this is a failed delivery, and after a few more the event is gone.',
  remedy: 'Register the final address: with https, with or without the last slash, and not behind a login.',
  look: ({ sent }) =>
    judge(sent.filter(isAnswered), (one) => {
      const { status = 0, answer } = one.attempt
      if (status < 300 || status > 399) return undefined
      return seenAt(
        one,
        `It was answered with ${status}, to ${short(answer?.headers?.['location'] ?? 'nowhere')}.`,
      )
    }),
}
