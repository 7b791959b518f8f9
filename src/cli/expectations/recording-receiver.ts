import type { Dialect } from '../../dialects/dialect.js'
import type { Expectation } from '../../engine/scenario/layer.js'
import type { Scenario } from '../../engine/scenario/scenario.js'
import type { Transport } from '../../engine/webhooks/attempts/transport.js'
import { type SignatureCheck, verifyWebhook } from '../../engine/webhooks/signing/sign-attempt.js'
import { isSigned, type WebhookFormat } from '../../engine/webhooks/webhook-format.js'
import { fieldsOfWebhook } from '../body-fields.js'
import { compareLists } from './compare.js'

interface Received {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  readonly beforeAnswer: boolean
}

/** A received webhook, in the words of expectations. */
interface Recorded {
  readonly event: string
  readonly signature: SignatureCheck | 'previous'
  readonly before_answer: boolean
}

type ExpectedWebhooks = NonNullable<Expectation['webhooks']>

/** A receiver that accepts and records every webhook. */
export class RecordingReceiver {
  readonly #received: Received[] = []
  #answers = 0

  readonly transport: Transport = async ({ headers, body }) => {
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    this.#received.push({
      headers: Object.fromEntries(named),
      body,
      beforeAnswer: this.#answers === 0,
    })
    return { status: 200 }
  }

  /** Counts an answered create request. */
  countAnswer(): void {
    this.#answers += 1
  }

  /**
   * Compares the recorded webhooks with the expected ones, in the fields that the expectation names.
   * @param dialect the wire format of the webhooks
   */
  async compare(
    expected: ExpectedWebhooks | undefined,
    dialect: Dialect,
    scenario: Scenario,
  ): Promise<string[]> {
    if (expected === undefined) return []
    const wanted = expected.map((webhook) => (typeof webhook === 'string' ? { event: webhook } : webhook))
    const format = dialect.webhooks(scenario)
    const claims = wanted.some(({ signature = 'unsigned' }) => signature !== 'unsigned')
    if (claims && !isSigned(format))
      return [`webhooks: the dialect ${dialect.name} signs no webhooks; expect \`signature: unsigned\``]
    const recorded = await Promise.all(this.#received.map((each) => recordOf(each, dialect, format)))
    const describe = (webhook: object, index: number) => {
      const fields = Object.keys(wanted[index] ?? { event: '' }) as (keyof Recorded)[]
      return fields.map((field) => describeField(field, (webhook as Recorded)[field])).join(' ')
    }
    return compareLists('webhooks', wanted.map(describe), recorded.map(describe))
  }
}

async function recordOf(received: Received, dialect: Dialect, format: WebhookFormat): Promise<Recorded> {
  return {
    event: fieldsOfWebhook(received.body, dialect).event ?? 'unreadable',
    signature: await signatureOf(received, format),
    before_answer: received.beforeAnswer,
  }
}

async function signatureOf(received: Received, format: WebhookFormat): Promise<Recorded['signature']> {
  const check = await verifyWebhook(format, received, format.secret)
  if (check !== 'wrong') return check
  return (await verifyWebhook(format, received, format.previousSecret)) === 'right' ? 'previous' : 'wrong'
}

function describeField(field: keyof Recorded, value: unknown): string {
  return field === 'event' ? String(value) : `${field}=${value}`
}
