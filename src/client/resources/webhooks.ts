import type {
  DeliveryBriefShape,
  DeliveryPage,
  DeliveryQuery,
  DeliveryShape,
  NewReceiver,
  ReceiverShape,
  WebhookTrigger,
} from '../../control/shapes.js'
import { type Call, search, segment } from '../call.js'

/** The receivers of the webhooks of all tasks. */
export type ReceiversControl = ReturnType<typeof receiversControl>

/** Creates the functions for the receivers. */
export function receiversControl(call: Call) {
  return {
    /** Lists all receivers, including inactive ones. */
    list: async () => (await call<{ data: ReceiverShape[] }>('GET', '/receivers')).data,
    /** Registers a receiver. */
    add: (receiver: NewReceiver) => call<ReceiverShape>('POST', '/receivers', receiver),
    /** Removes a receiver. */
    remove: async (id: string) => call<ReceiverShape>('DELETE', `/receivers/${segment(id)}`),
  }
}

/** The webhooks that were sent. */
export type DeliveriesControl = ReturnType<typeof deliveriesControl>

/** Creates the functions for the deliveries. */
export function deliveriesControl(call: Call) {
  return {
    /** Lists deliveries with all their attempts, newest first. */
    list: (query: DeliveryQuery = {}) => call<DeliveryPage>('GET', `/deliveries${search(query)}`),
    /** Lists deliveries without the headers and bodies of their attempts. */
    brief: (query: DeliveryQuery = {}) =>
      call<DeliveryPage<DeliveryBriefShape>>('GET', `/deliveries${search({ ...query, brief: true })}`),
    /** Reads a delivery. */
    get: async (id: string) => call<DeliveryShape>('GET', `/deliveries/${segment(id)}`),
    /** Sends the event again, as a new delivery. */
    redeliver: async (id: string) => call<DeliveryShape>('POST', `/deliveries/${segment(id)}/redeliver`, {}),
  }
}

/** Webhooks without a task. */
export type WebhooksControl = ReturnType<typeof webhooksControl>

/** Creates the functions for the webhooks. */
export function webhooksControl(call: Call) {
  return {
    /**
     * Sends a signed example of an event.
     * @param event whatever the service calls it
     * @param to a URL, or the id of a receiver; by default, all registered receivers
     * @param options `dialect`: the wire format of the webhook; `tasks` by default
     */
    trigger: async (
      event: NonNullable<WebhookTrigger['event']>,
      to?: string | { readonly receiver: string },
      options: Pick<WebhookTrigger, 'dialect'> = {},
    ) => {
      const target = typeof to === 'object' && to !== null ? to : { url: to }
      const trigger: WebhookTrigger = { event, ...target, ...options }
      return (await call<{ data: DeliveryShape[] }>('POST', '/webhooks/trigger', trigger)).data
    },
  }
}
