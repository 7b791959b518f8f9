import { canonicalJson, parseJson } from '../../../engine/json.js'
import type { Attempt } from '../../../engine/webhooks/deliveries/delivery.js'
import { collectEvidence, webhookEvidence } from '../evidence.js'
import type { FindingRule, RuleResult, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { isAccepted, isGenuine, type WebhookAttempt } from '../task-history.js'

const FLAWS: Readonly<Record<string, string>> = {
  wrong: 'the signature of another secret',
  missing: 'no signature',
  empty: 'an empty signature',
  malformed: 'a malformed signature',
  old_timestamp: 'an old timestamp',
  truncated: 'a truncated body',
  changed: 'a body that was changed after signing',
}

/** Detects a receiver that accepts a webhook that the service did not sign. */
export const acceptsForgedWebhook: FindingRule = {
  id: 'accepts-forged-webhook',
  severity: 'error',
  title: 'A webhook with an invalid signature is accepted',
  why: 'Anyone who knows the URL can send such an event. A receiver that acts on it takes any output for the result. One that drops it must not answer 2xx, because the service does not repeat an accepted event.',
  remedy:
    'Verify the signature of the raw body; compare an HMAC in constant time. Answer 401 if the signature is wrong or missing.',
  occasion: 'probe',
  provoke: 'Run the scenario `webhook-forgery` with a webhook URL, or run `tasksim probe`.',
  sees: 'forgeries',
  check: (context) =>
    checkAcceptance(
      context,
      context.signedAttempts.filter(({ attempt }) => !isGenuine(attempt)),
      ({ flaw = '', status }) => `A webhook with ${FLAWS[flaw] ?? flaw} was answered with ${status}.`,
    ),
}

/** Finds the invalid attempts that a receiver has accepted, if it accepts any webhook at all. */
function checkAcceptance(
  { webhookAttempts }: FindingContext,
  invalid: readonly WebhookAttempt[],
  describe: (attempt: Attempt) => string,
): RuleResult {
  const genuine = webhookAttempts.filter(
    ({ attempt }) => attempt.flaw === undefined && isAnswered({ attempt }),
  )
  return collectEvidence(invalid.filter(isAnswered), (webhook) => {
    if (isAccepted(webhook.attempt)) return webhookEvidence(webhook, describe(webhook.attempt))
    const valid = genuine.filter(({ delivery }) => delivery.url === webhook.delivery.url)
    return valid.length > 0 && !valid.some(({ attempt }) => isAccepted(attempt)) ? REJECTS_ALL : undefined
  })
}

/** Whether a receiver has answered. A refused connection does not show what it accepts. */
function isAnswered({ attempt }: Pick<WebhookAttempt, 'attempt'>): boolean {
  return attempt.status !== undefined
}

const REJECTS_ALL: Unclear = {
  reason:
    'The receiver rejected the valid webhooks as well, so its rejections do not show that it verifies signatures. Check its URL and its secret.',
}

/** Detects a receiver that accepts the previous secret. */
export const acceptsOldSecret: FindingRule = {
  id: 'accepts-old-secret',
  severity: 'note',
  title: 'A webhook signed with the old secret is accepted',
  why: 'This is correct during a rotation. Afterwards, anyone with the old secret can forge webhooks.',
  remedy: 'Remove the old secret from the configuration when the rotation is complete.',
  occasion: 'probe',
  provoke: 'Run the scenario `key-rotation` with a webhook URL and several tasks, or run `tasksim probe`.',
  sees: 'forgeries',
  check: (context) =>
    checkAcceptance(
      context,
      context.webhookAttempts.filter(({ attempt }) => attempt.flaw === 'previous_secret'),
      ({ status }) => `A webhook signed with the old secret was answered with ${status}.`,
    ),
}

/** Detects a receiver that verifies the signature, but not its age. */
export const acceptsOldTimestamp: FindingRule = {
  id: 'accepts-old-timestamp',
  severity: 'warning',
  title: 'A webhook with an old timestamp is accepted',
  why: 'The signature of a recorded webhook stays correct, so anyone who has recorded one can send it again at any time.',
  remedy:
    'Verify the timestamp, too: answer 401 if the signed time is more than five minutes away. Some official verifiers leave this check to you.',
  occasion: 'probe',
  provoke:
    'Apply the webhook fault `old_timestamp` in a dialect that signs the time, such as `replicate`, or run `tasksim probe`.',
  sees: 'forgeries',
  check: (context) =>
    checkAcceptance(
      context,
      context.webhookAttempts.filter(({ attempt }) => attempt.flaw === 'old_timestamp'),
      ({ status }) => `A webhook that was signed an hour before was answered with ${status}.`,
    ),
}

/** Detects a receiver that answers 5xx to an invalid webhook, unless it answers 5xx to valid ones too. */
export const failsOnBadSignature: FindingRule = {
  id: 'fails-on-bad-signature',
  severity: 'warning',
  title: 'The webhook handler fails on an invalid signature',
  why: 'A server error raises alerts, and anyone who knows the URL can cause it.',
  remedy:
    'Check the format and length of the signature before you compare it and before you parse the body. Answer 401.',
  occasion: 'probe',
  provoke: 'Run the scenario `webhook-forgery` with a webhook URL, or run `tasksim probe`.',
  sees: 'forgeries',
  check: ({ signedAttempts }) => {
    const failingUrls = new Set(
      signedAttempts
        .filter((webhook) => webhook.attempt.flaw === undefined && isServerError(webhook))
        .map(({ delivery }) => delivery.url),
    )
    const flawed = signedAttempts.filter(
      ({ attempt, delivery }) =>
        attempt.flaw !== undefined && attempt.status !== undefined && !failingUrls.has(delivery.url),
    )
    return collectEvidence(flawed, (webhook) => {
      const { flaw = '', status } = webhook.attempt
      return isServerError(webhook)
        ? webhookEvidence(webhook, `A webhook with ${FLAWS[flaw] ?? flaw} was answered with ${status}.`)
        : undefined
    })
  },
}

function isServerError({ attempt: { status = 0 } }: WebhookAttempt): boolean {
  return status >= 500
}

/** The answers of a receiver that takes a signature for wrong. */
const REJECTIONS: readonly number[] = [400, 401, 403]

/** Detects a receiver that verifies its own serialization of a body, and not the bytes that were signed. */
export const rejectsReformattedWebhook: FindingRule = {
  id: 'rejects-reformatted-webhook',
  severity: 'error',
  title: 'A valid webhook is rejected because its JSON has another format',
  why: 'The receiver verifies its own serialization of the body. When the service formats JSON differently, every event is lost.',
  remedy:
    'Verify the signature of the raw bytes, before the body is parsed: `express.raw()`, `request.text()`, `request.get_data()`. If the receiver rejects every webhook, check its secret.',
  occasion: 'probe',
  provoke: 'Apply the webhook fault `spaced`, or run `tasksim probe`.',
  sees: 'forgeries',
  check: ({ signedAttempts }) => {
    const valid = signedAttempts.filter(
      ({ attempt }) => attempt.flaw === undefined && isAnswered({ attempt }),
    )
    const reformatted = new Set(valid.filter(isReformatted))
    const plain = valid.filter((webhook) => !reformatted.has(webhook))
    // The last attempt of each delivery: its retries show the same again.
    const last = new Map([...reformatted].map((webhook) => [webhook.delivery.id, webhook]))
    return collectEvidence(last.values(), (webhook) => {
      const { status = 0 } = webhook.attempt
      if (!REJECTIONS.includes(status)) return undefined
      const others = plain.filter(({ delivery }) => delivery.url === webhook.delivery.url)
      if (others.length > 0 && !others.some(({ attempt }) => isAccepted(attempt))) return REJECTS_ALL
      return webhookEvidence(
        webhook,
        `A webhook whose JSON had another format, with a correct signature, was answered with ${status}.`,
      )
    })
  },
}

/** Whether an attempt had the event in other bytes, as the same JSON. */
function isReformatted({ delivery, attempt }: WebhookAttempt): boolean {
  const decoder = new TextDecoder()
  const [usual, sent] = [decoder.decode(delivery.payload), decoder.decode(attempt.sent.body)]
  if (usual === sent) return false
  const [one, other] = [parseJson(usual), parseJson(sent)]
  return one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other)
}
