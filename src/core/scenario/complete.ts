import type { Scenario } from './scenario.js'
import type { ScenarioLayer } from './schema.js'

/** The webhook secret unless a scenario or an option says otherwise. It is no secret, so it may be shown. */
export const LOCAL_SIGNING_SECRET = 'whsec_local_signing_secret'

const DAY = 86_400_000

/**
 * One layer on top of another. What both say, the upper one decides, field by field; its models and rules come
 * first, the lower one's after them. What a layer expects of itself is not inherited.
 */
export function extendLayer(upper: ScenarioLayer, lower: ScenarioLayer): ScenarioLayer {
  const { expect: _, ...inherited } = lower
  return {
    ...inherited,
    ...upper,
    auth: { ...lower.auth, ...upper.auth },
    api: { ...lower.api, ...upper.api },
    defaults: { ...lower.defaults, ...upper.defaults },
    kinds: mergeEntries(upper.kinds, lower.kinds),
    models: mergeEntries(upper.models, lower.models),
    rules: [...(upper.rules ?? []), ...(lower.rules ?? [])],
    capacity: {
      ...lower.capacity,
      ...upper.capacity,
      kinds: { ...lower.capacity?.kinds, ...upper.capacity?.kinds },
      models: { ...upper.capacity?.models, ...lower.capacity?.models, ...upper.capacity?.models },
      keys: { ...upper.capacity?.keys, ...lower.capacity?.keys, ...upper.capacity?.keys },
    },
    webhooks: {
      ...lower.webhooks,
      ...upper.webhooks,
      signature: { ...lower.webhooks?.signature, ...upper.webhooks?.signature },
    },
    outputs: { ...lower.outputs, ...upper.outputs },
  }
}

function mergeEntries<Entry extends object>(
  upper: Record<string, Entry | undefined> = {},
  lower: Record<string, Entry | undefined> = {},
): Record<string, Entry> {
  const merged: Record<string, Entry> = {}
  for (const name of new Set([...Object.keys(upper), ...Object.keys(lower)])) {
    merged[name] = { ...(lower[name] as Entry), ...(upper[name] as Entry) }
  }
  return merged
}

/** Fills in what no layer says. */
export function complete(name: string, layer: ScenarioLayer, catalog: Scenario['catalog']): Scenario {
  const { api, webhooks, outputs } = layer
  const { overflow, ...limits } = layer.capacity ?? {}
  return {
    name,
    description: layer.description ?? '',
    seed: layer.seed ?? '1',
    keys: layer.auth?.keys,
    api: {
      createStatus: api?.create_status ?? 200,
      cancel: api?.cancel ?? true,
      errors: api?.errors ?? 'envelope',
      unknownModels: api?.unknown_models ?? 'accept',
      hideQueue: api?.hide_queue ?? false,
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
    webhooks: {
      secret: webhooks?.secret ?? LOCAL_SIGNING_SECRET,
      receivers: webhooks?.receivers ?? [],
      timeout: webhooks?.timeout ?? 15_000,
      retries: webhooks?.retries ?? [1_000, 5_000, 25_000],
      signature: {
        header: webhooks?.signature?.header ?? 'X-Service-Signature',
        encoding: webhooks?.signature?.encoding ?? 'hex',
        prefix: webhooks?.signature?.prefix ?? '',
      },
      canceledEvent: webhooks?.canceled_event ?? 'task.canceled',
    },
    outputs: {
      lifetime: outputs?.lifetime ?? DAY,
      renew: outputs?.renew ?? true,
      retention: outputs?.retention ?? 30 * DAY,
    },
    expect: layer.expect ?? [],
  }
}
