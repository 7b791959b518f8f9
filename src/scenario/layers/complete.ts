import type { DialectLayer, ReceiverSource, ScenarioLayer, Some } from '../../engine/scenario/layer.js'
import type { DialectSettings, Scenario, ScenarioSource } from '../../engine/scenario/scenario.js'
import type { ReceiverSettings } from '../../engine/webhooks/receivers/receiver.js'
import { DEFAULTS } from '../defaults.js'

/**
 * Merges two layers. The upper layer overrides single fields of the lower one. Its models and rules come before those
 * of the lower layer. Descriptions and expectations are not inherited.
 */
export function extendLayer(upper: ScenarioLayer, lower: ScenarioLayer): ScenarioLayer {
  const { expect: _expect, description: _description, ...inherited } = lower
  return {
    ...override(inherited, upper),
    auth: override(lower.auth, upper.auth),
    api: override(lower.api, upper.api),
    defaults: override(lower.defaults, upper.defaults),
    kinds: overrideEach(lower.kinds, upper.kinds),
    models: overrideEach(lower.models, upper.models),
    rules: [...(upper.rules ?? []), ...(lower.rules ?? [])],
    faults: [...(upper.faults ?? []), ...(lower.faults ?? [])],
    capacity: {
      ...override(lower.capacity, upper.capacity),
      kinds: overrideEach(lower.capacity?.kinds, upper.capacity?.kinds),
      models: overrideEach(lower.capacity?.models, upper.capacity?.models),
      keys: overrideEach(lower.capacity?.keys, upper.capacity?.keys),
      overflow: override(lower.capacity?.overflow, upper.capacity?.overflow),
    },
    webhooks: {
      ...override(lower.webhooks, upper.webhooks),
      signature: override(lower.webhooks?.signature, upper.webhooks?.signature),
      faults: [...(upper.webhooks?.faults ?? []), ...(lower.webhooks?.faults ?? [])],
    },
    dialects: overrideEach(lower.dialects, upper.dialects),
    outputs: override(lower.outputs, upper.outputs),
    findings: {
      ignore: [...(upper.findings?.ignore ?? []), ...(lower.findings?.ignore ?? [])],
      thresholds: {
        ...override(lower.findings?.thresholds, upper.findings?.thresholds),
        poll_interval: override(
          lower.findings?.thresholds?.poll_interval,
          upper.findings?.thresholds?.poll_interval,
        ),
      },
    },
  }
}

/** Merges two objects. The fields of `upper` override those of `lower`. */
function override<Fields extends object>(lower: Fields | undefined, upper: Some<Fields> | undefined): Fields {
  return { ...lower, ...upper } as Fields
}

/** Merges two mappings, with the entries of `upper` first. Entries with the same name are merged field by field. */
function overrideEach<Entry extends object>(
  lower: Readonly<Record<string, Entry | undefined>> = {},
  upper: Readonly<Record<string, Entry | undefined>> = {},
): Record<string, Entry> {
  const names = new Set([...Object.keys(upper), ...Object.keys(lower)])
  return Object.fromEntries(
    [...names].map((name) => [name, override(lower[name], upper[name])] as [string, Entry]),
  )
}

/** The part of one layer in a scenario. */
export function sourceOf(name: string, layer: ScenarioLayer, isShipped = false): ScenarioSource {
  const { rules = [], faults = [], webhooks = {} } = layer
  const webhookFaults = webhooks.faults ?? []
  const lengths = { rules: rules.length, faults: faults.length, 'webhooks.faults': webhookFaults.length }
  return { name, isShipped, lengths }
}

/** Completes a layer with the defaults. */
export function complete(
  name: string,
  layer: ScenarioLayer,
  catalog: Scenario['catalog'],
  text?: string | null,
  sources: readonly ScenarioSource[] = [sourceOf(name, layer)],
): Scenario {
  const api = override(DEFAULTS.api, layer.api)
  const { signature, ...ownWebhooks } = layer.webhooks ?? {}
  const webhooks = override(DEFAULTS.webhooks, ownWebhooks)
  const { overflow, ...limits } = layer.capacity ?? {}
  const { status, retry_after: retryAfter } = override(DEFAULTS.capacity.overflow, overflow)
  const { ignore, thresholds } = DEFAULTS.findings
  return {
    name,
    description: layer.description ?? '',
    text,
    layer,
    sources,
    seed: layer.seed ?? DEFAULTS.seed,
    directives: (layer.directives ?? DEFAULTS.directives) === 'on',
    auth: { keys: layer.auth?.keys, credits: layer.auth?.credits },
    api: {
      createStatus: api.create_status,
      cancel: api.cancel,
      errors: api.errors,
      unknownModels: api.unknown_models,
      validation: api.validation,
      hideQueue: api.hide_queue,
      maxValues: api.max_values,
      rateLimitHeaders: api.rate_limit_headers,
    },
    defaults: override(DEFAULTS.defaults, layer.defaults),
    kinds: layer.kinds ?? {},
    models: layer.models ?? {},
    catalog,
    rules: layer.rules ?? [],
    capacity: { ...limits, overflow: { status, retryAfter } },
    rateLimits: layer.rate_limits ?? [],
    faults: layer.faults ?? [],
    webhooks: {
      secret: webhooks.secret,
      previousSecret: webhooks.previous_secret,
      receivers: webhooks.receivers.map(receiverSettings),
      timeout: webhooks.timeout,
      retries: webhooks.retries,
      honorsRetryAfter: webhooks.honor_retry_after,
      signature: override(DEFAULTS.webhooks.signature, signature),
      canceledEvent: webhooks.canceled_event,
      faults: webhooks.faults,
    },
    dialects: Object.fromEntries(
      Object.entries(layer.dialects ?? {}).map(([dialect, settings]) => [dialect, dialectSettings(settings)]),
    ),
    outputs: {
      lifetime: layer.outputs?.lifetime,
      renew: layer.outputs?.renew ?? DEFAULTS.outputs.renew,
      retention: layer.outputs?.retention,
    },
    findings: {
      ignore: layer.findings?.ignore ?? ignore,
      thresholds: {
        ...override(thresholds, layer.findings?.thresholds as Some<typeof thresholds>),
        poll_interval: override(thresholds.poll_interval, layer.findings?.thresholds?.poll_interval),
      },
    },
    expect: layer.expect ?? [],
  }
}

function dialectSettings({
  previous_secret: previousSecret,
  ...settings
}: Some<DialectLayer>): DialectSettings {
  return { ...settings, previousSecret }
}

/** Converts a receiver of a scenario or a request to settings. */
export function receiverSettings(receiver: ReceiverSource): ReceiverSettings {
  if (typeof receiver === 'string') return { url: receiver }
  const { previous_secret: previousSecret, ...settings } = receiver
  return { ...settings, previousSecret }
}
