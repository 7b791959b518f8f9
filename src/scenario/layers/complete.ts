import type * as v from 'valibot'
import type { ScenarioSource } from '../../engine/scenario/scenario.js'
import type { ReceiverSettings } from '../../engine/webhooks/receivers/receiver.js'
import { DEFAULTS } from '../defaults.generated.js'
import { isMapping } from '../mapping.js'
import type { Scenario, ScenarioLayer } from '../scenario.js'
import type { receiver as receiverSchema } from '../schema/webhook.js'

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
    explore: [...(upper.explore ?? []), ...(lower.explore ?? [])],
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

type Some<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined }

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

/** The behavior of models where neither `defaults` nor anything more specific has it. */
const BEHAVIOR = { queueing: 0, delay: 3_000, failures: { rate: 0 }, price: {} }

/** Completes a layer with the defaults. */
export function complete(
  name: string,
  layer: ScenarioLayer,
  catalog: Scenario['catalog'],
  text?: string | null,
  sources: readonly ScenarioSource[] = [sourceOf(name, layer)],
): Scenario {
  const { extends: _, learned: __, ...settings } = filled(layer, DEFAULTS)
  return {
    ...settings,
    name,
    description: layer.description ?? '',
    text,
    layer,
    sources,
    catalog,
    defaults: filled(layer.defaults, BEHAVIOR),
    webhooks: { ...settings.webhooks, receivers: settings.webhooks.receivers.map(receiverSettings) },
  }
}

/** Settings with a value wherever there is a default. */
type Filled<Given, Defaults> = Omit<Given, keyof Defaults> & {
  readonly [Name in keyof Defaults & keyof Given]: Defaults[Name] extends readonly unknown[]
    ? NonNullable<Given[Name]>
    : Defaults[Name] extends object
      ? Filled<NonNullable<Given[Name]>, Defaults[Name]>
      : NonNullable<Given[Name]>
}

/** Adds the defaults to settings, at every level. */
function filled<Given extends object, Defaults extends object>(
  given: Given | undefined,
  defaults: Defaults,
): Filled<Given, Defaults> {
  const all = { ...defaults, ...given } as Record<string, unknown>
  for (const [name, usual] of Object.entries(defaults))
    if (isMapping(usual)) all[name] = filled(Object(given)[name], usual)
  return all as Filled<Given, Defaults>
}

/** Converts a receiver of a scenario or a request to settings. */
export function receiverSettings(receiver: string | v.InferOutput<typeof receiverSchema>): ReceiverSettings {
  if (typeof receiver === 'string') return { url: receiver }
  const { previous_secret: previousSecret, ...settings } = receiver
  return { ...settings, previousSecret }
}
