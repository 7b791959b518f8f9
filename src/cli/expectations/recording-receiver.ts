import { verifySignature } from '../../engine/webhooks/signature.js'
import type { Transport } from '../../engine/webhooks/transport.js'
import type { Expectation } from '../../scenario/model/layer.js'
import type { WebhookSettings } from '../../scenario/model/scenario.js'
import { compareLists } from './compare.js'

interface Recorded {
  readonly event: string
  readonly signature: 'right' | 'wrong' | 'missing' | 'previous'
  readonly before_answer: boolean
}

type ExpectedWebhooks = NonNullable<Expectation['webhooks']>

/** A receiver that accepts and records every webhook. */
export class RecordingReceiver {
  readonly #settings: WebhookSettings
  readonly #recorded: Recorded[] = []
  #answers = 0

  constructor(settings: WebhookSettings) {
    this.#settings = settings
  }

  readonly transport: Transport = async ({ headers, body }) => {
    this.#recorded.push({
      event: eventIn(body),
      signature: this.#checkSignature(body, headers[this.#settings.signature.header]),
      before_answer: this.#answers === 0,
    })
    return { status: 200 }
  }

  /** Counts an answered create request. */
  countAnswer(): void {
    this.#answers += 1
  }

  /** Compares the recorded webhooks with the expected ones, in the fields that the expectation names. */
  compare(expected: ExpectedWebhooks | undefined): string[] {
    if (expected === undefined) return []
    const wanted = expected.map((webhook) => (typeof webhook === 'string' ? { event: webhook } : webhook))
    const describe = (webhook: object, index: number) => {
      const fields = Object.keys(wanted[index] ?? { event: '' }) as (keyof Recorded)[]
      return fields.map((field) => describeField(field, (webhook as Recorded)[field])).join(' ')
    }
    return compareLists('webhooks', wanted.map(describe), this.#recorded.map(describe))
  }

  #checkSignature(body: Uint8Array, signature: string | undefined): Recorded['signature'] {
    const { secret, previousSecret, signature: format } = this.#settings
    if (signature === undefined) return 'missing'
    if (verifySignature(body, signature, secret, format)) return 'right'
    return verifySignature(body, signature, previousSecret, format) ? 'previous' : 'wrong'
  }
}

function describeField(field: keyof Recorded, value: unknown): string {
  return field === 'event' ? String(value) : `${field}=${value}`
}

function eventIn(body: Uint8Array): string {
  try {
    return JSON.parse(new TextDecoder().decode(body)).event
  } catch {
    return 'unreadable'
  }
}
