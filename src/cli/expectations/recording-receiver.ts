import { verifySignature } from '../../engine/webhooks/signature.js'
import type { Transport } from '../../engine/webhooks/transport.js'
import type { Expectation } from '../../scenario/model/layer.js'
import type { WebhookSettings } from '../../scenario/model/scenario.js'
import { compareLists } from './compare.js'

interface Seen {
  readonly event: string
  readonly signature: 'right' | 'wrong' | 'missing' | 'previous'
  readonly before_answer: boolean
}

type Wanted = NonNullable<Expectation['webhooks']>

/** A receiver that accepts everything, and remembers what it got. */
export class RecordingReceiver {
  readonly #settings: WebhookSettings
  readonly #seen: Seen[] = []
  #answers = 0

  constructor(settings: WebhookSettings) {
    this.#settings = settings
  }

  readonly transport: Transport = async ({ headers, body }) => {
    this.#seen.push({
      event: eventIn(body),
      signature: this.#judge(body, headers[this.#settings.signature.header]),
      before_answer: this.#answers === 0,
    })
    return { status: 200 }
  }

  /** Tells it that a create request has been answered. */
  answered(): void {
    this.#answers += 1
  }

  /** How what it got differs from what is expected; of each webhook, only what is named is compared. */
  compare(expected: Wanted | undefined): string[] {
    if (expected === undefined) return []
    const wanted = expected.map((webhook) => (typeof webhook === 'string' ? { event: webhook } : webhook))
    const shown = (webhook: object, index: number) => {
      const fields = Object.keys(wanted[index] ?? { event: '' }) as (keyof Seen)[]
      return fields.map((field) => say(field, (webhook as Seen)[field])).join(' ')
    }
    return compareLists('webhooks', wanted.map(shown), this.#seen.map(shown))
  }

  #judge(body: Uint8Array, signature: string | undefined): Seen['signature'] {
    const { secret, previousSecret, signature: format } = this.#settings
    if (signature === undefined) return 'missing'
    if (verifySignature(body, signature, secret, format)) return 'right'
    return verifySignature(body, signature, previousSecret, format) ? 'previous' : 'wrong'
  }
}

function say(field: keyof Seen, value: unknown): string {
  return field === 'event' ? String(value) : `${field}=${value}`
}

function eventIn(body: Uint8Array): string {
  try {
    return JSON.parse(new TextDecoder().decode(body)).event
  } catch {
    return 'unreadable'
  }
}
