import type { DefaultBehavior } from '../engine/scenario/behavior.js'
import type { Thresholds } from '../engine/scenario/findings.js'
import type {
  ApiLayer,
  FindingLayer,
  OutputLayer,
  OverflowLayer,
  WebhookLayer,
} from '../engine/scenario/layer.js'
import { KINDS } from '../kinds/registry.js'

const HOUR = 3_600_000

interface Defaults {
  readonly directives: 'on' | 'off'
  readonly seed: string
  readonly api: ApiLayer
  readonly defaults: DefaultBehavior
  readonly capacity: { readonly overflow: OverflowLayer }
  readonly webhooks: WebhookLayer
  readonly outputs: Pick<OutputLayer, 'renew'>
  readonly findings: FindingLayer & { readonly thresholds: Thresholds }
}

/**
 * The settings that apply when no layer of a scenario has them. The JSON Schema of scenarios and the reference show
 * them too. Durations are milliseconds.
 */
export const DEFAULTS: Defaults = {
  directives: 'on',
  seed: '1',
  api: {
    create_status: 200,
    cancel: true,
    errors: 'envelope',
    unknown_models: 'accept',
    validation: 'strict',
    rate_limit_headers: 'x-ratelimit',
    max_values: 50_000,
    hide_queue: false,
  },
  defaults: { queueing: 0, delay: 3_000, failures: { rate: 0 }, price: {} },
  capacity: { overflow: { status: 429, retry_after: 5_000 } },
  webhooks: {
    // These secrets are public, so output shows them unmasked.
    secret: 'whsec_local_signing_secret',
    previous_secret: 'whsec_previous_signing_secret',
    receivers: [],
    timeout: 15_000,
    retries: [1_000, 5_000, 25_000],
    honor_retry_after: false,
    signature: { header: 'X-Service-Signature', encoding: 'hex', prefix: '' },
    canceled_event: 'task.canceled',
    faults: [],
  },
  // The wire format of a task decides how long its outputs are valid.
  outputs: { renew: true },
  findings: {
    ignore: [],
    // The service recommends the poll intervals. The other thresholds tolerate cautious clients.
    thresholds: {
      poll_interval: Object.fromEntries(KINDS.map(({ name, pollInterval }) => [name, pollInterval])),
      tolerance: 0.1,
      fast_polls: 3,
      polls_after_end: 2,
      longest_wait: HOUR,
      failed_polls: 3,
      retry_within: 60_000,
      silence: 60_000,
      downloads: 5,
      webhook_answer: 5_000,
    },
  },
}
