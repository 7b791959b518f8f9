import { isEndEvent, TASK_EVENTS } from '../../engine/webhooks/events/task-event.js'
import { signPayload } from '../../engine/webhooks/signing/signature.js'
import type { WebhookFormat } from '../../engine/webhooks/webhook-format.js'
import type { WebhookSettings } from '../../scenario/model/scenario.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The webhooks of the service, with the settings of a scenario. */
export function taskWebhooks(settings: WebhookSettings): WebhookFormat {
  const { secret, previousSecret, retries, timeout, honorsRetryAfter, signature, canceledEvent } = settings
  const { header, prefix } = signature
  return {
    secret,
    previousSecret,
    retriesOf: () => retries,
    stopsOn4xx: false,
    timeout,
    honorsRetryAfter,
    exampleTaskId: 'task_000000000000000000000000',
    nameOf(event) {
      if (!isEndEvent(event)) return undefined
      if (event !== 'task.canceled') return event
      return canceledEvent === 'none' ? undefined : canceledEvent
    },
    takesUrl: () => true,
    // The event of a canceled task has two spellings.
    eventOf: (name) => TASK_EVENTS.find((event) => event === name.replace('cancelled', 'canceled')),
    body(event, { task: { id, status, error }, output }) {
      const outcome = status === 'failed' ? { error } : { output }
      return bytesOf({ event, task: { id, status, ...outcome } })
    },
    // The most harmful forgery: a success that becomes a failure, or vice versa.
    forge(body) {
      const { event, task } = JSON.parse(decoder.decode(body))
      const [forged, status] =
        event === 'task.succeeded' ? ['task.failed', 'failed'] : ['task.succeeded', 'succeeded']
      return bytesOf({ event: forged, task: { ...task, status } })
    },
    sign: ({ body }, secret) => ({ [header]: signPayload(body, secret, signature) }),
    messageIn: (_, body) => ({ id: '', at: 0, body }),
    signsTime: false,
    malformed: { [header]: `${prefix}not-a-signature` },
  }
}

function bytesOf(value: object): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value))
}
