import type { ReceiverSettings } from '../../../engine/webhooks/receivers.js'
import { thresholdsFrom } from '../../model/findings.js'
import type { ScenarioLayer } from '../../model/layer.js'
import type { Scenario } from '../../model/scenario.js'

/** The webhook secret unless a scenario or an option says otherwise. It is no secret, so it may be shown. */
export const LOCAL_SIGNING_SECRET = 'whsec_local_signing_secret'

/** The previous secret, with which only the webhook fault `previous_secret` signs. It is no secret either. */
export const PREVIOUS_SIGNING_SECRET = 'whsec_previous_signing_secret'

/** How many values the JSON of a request may hold unless a scenario says otherwise. */
export const MOST_VALUES = 50_000

const DAY = 86_400_000

/**
 * Lays one layer over another. The upper one overrides the lower one field by field; its models and rules come first,
 * the lower one's after them. The description of a layer and its expectations are not inherited.
 */
export function extendLayer(upper: ScenarioLayer, lower: ScenarioLayer): ScenarioLayer {
  const { expect: _expect, description: _description, ...inherited } = lower
  return {
    ...over(upper, inherited),
    auth: over(upper.auth, lower.auth),
    api: over(upper.api, lower.api),
    defaults: over(upper.defaults, lower.defaults),
    kinds: overEach(upper.kinds, lower.kinds),
    models: overEach(upper.models, lower.models),
    rules: [...(upper.rules ?? []), ...(lower.rules ?? [])],
    faults: [...(upper.faults ?? []), ...(lower.faults ?? [])],
    capacity: {
      ...over(upper.capacity, lower.capacity),
      kinds: overEach(upper.capacity?.kinds, lower.capacity?.kinds),
      models: overEach(upper.capacity?.models, lower.capacity?.models),
      keys: overEach(upper.capacity?.keys, lower.capacity?.keys),
      overflow: over(upper.capacity?.overflow, lower.capacity?.overflow),
    },
    webhooks: {
      ...over(upper.webhooks, lower.webhooks),
      signature: over(upper.webhooks?.signature, lower.webhooks?.signature),
      faults: [...(upper.webhooks?.faults ?? []), ...(lower.webhooks?.faults ?? [])],
    },
    outputs: over(upper.outputs, lower.outputs),
    findings: {
      ignore: [...(upper.findings?.ignore ?? []), ...(lower.findings?.ignore ?? [])],
      thresholds: {
        ...over(upper.findings?.thresholds, lower.findings?.thresholds),
        poll_interval: over(
          upper.findings?.thresholds?.poll_interval,
          lower.findings?.thresholds?.poll_interval,
        ),
      },
    },
  }
}

/** The fields of both; of one that both have, the upper one's. */
function over<Fields extends object>(upper: Fields | undefined, lower: Fields | undefined): Fields {
  return { ...lower, ...upper } as Fields
}

/** The entries of both, the upper one's first, each over the lower one's of the same name. */
function overEach<Entry extends object>(
  upper: Record<string, Entry | undefined> = {},
  lower: Record<string, Entry | undefined> = {},
): Record<string, Entry> {
  const names = new Set([...Object.keys(upper), ...Object.keys(lower)])
  return Object.fromEntries([...names].map((name) => [name, over(upper[name], lower[name])]))
}

/** Fills in what no layer says. */
export function complete(
  name: string,
  layer: ScenarioLayer,
  catalog: Scenario['catalog'],
  text?: string | null,
): Scenario {
  const { api, webhooks, outputs } = layer
  const { overflow, ...limits } = layer.capacity ?? {}
  return {
    name,
    description: layer.description ?? '',
    text,
    layer,
    seed: layer.seed ?? '1',
    directives: layer.directives !== 'off',
    auth: { keys: layer.auth?.keys, credits: layer.auth?.credits },
    api: {
      createStatus: api?.create_status ?? 200,
      cancel: api?.cancel ?? true,
      errors: api?.errors ?? 'envelope',
      unknownModels: api?.unknown_models ?? 'accept',
      validation: api?.validation ?? 'strict',
      hideQueue: api?.hide_queue ?? false,
      maxValues: api?.max_values ?? MOST_VALUES,
      rateLimitHeaders: api?.rate_limit_headers ?? 'x-ratelimit',
    },
    defaults: layer.defaults ?? {},
    kinds: layer.kinds ?? {},
    models: layer.models ?? {},
    catalog,
    rules: layer.rules ?? [],
    capacity: {
      ...limits,
      overflow: { status: overflow?.status ?? 429, retryAfter: overflow?.retry_after ?? 5_000 },
    },
    rateLimits: layer.rate_limits ?? [],
    faults: layer.faults ?? [],
    webhooks: {
      secret: webhooks?.secret ?? LOCAL_SIGNING_SECRET,
      previousSecret: webhooks?.previous_secret ?? PREVIOUS_SIGNING_SECRET,
      receivers: (webhooks?.receivers ?? []).map(receiverSettings),
      timeout: webhooks?.timeout ?? 15_000,
      retries: webhooks?.retries ?? [1_000, 5_000, 25_000],
      honorsRetryAfter: webhooks?.honor_retry_after ?? false,
      signature: {
        header: webhooks?.signature?.header ?? 'X-Service-Signature',
        encoding: webhooks?.signature?.encoding ?? 'hex',
        prefix: webhooks?.signature?.prefix ?? '',
      },
      canceledEvent: webhooks?.canceled_event ?? 'task.canceled',
      faults: webhooks?.faults ?? [],
    },
    outputs: {
      lifetime: outputs?.lifetime ?? DAY,
      renew: outputs?.renew ?? true,
      retention: outputs?.retention ?? 30 * DAY,
    },
    findings: {
      ignore: layer.findings?.ignore ?? [],
      thresholds: thresholdsFrom(layer.findings?.thresholds),
    },
    expect: layer.expect ?? [],
  }
}

type ReceiverLayer = NonNullable<NonNullable<ScenarioLayer['webhooks']>['receivers']>[number]

/** A receiver as a scenario or a request writes it, with all its settings by name. */
export function receiverSettings(receiver: ReceiverLayer): ReceiverSettings {
  if (typeof receiver === 'string') return { url: receiver }
  const { previous_secret: previousSecret, ...settings } = receiver
  return { ...settings, previousSecret }
}
