import { oncePer } from '../../engine/recent.js'
import type { Scenario, WebhookSettings } from '../../engine/scenario/scenario.js'
import { DIALECT_SECRETS } from '../../engine/webhooks/signing/signature.js'
import type { WebhookFormat } from '../../engine/webhooks/webhook-format.js'
import type { DialectTable, ErrorForm } from './model/dialect-table.js'
import type { SignatureTable, WebhookTable } from './model/webhook-table.js'

/** Problem details (RFC 9457). */
const PROBLEM: ErrorForm = {
  content_type: 'application/problem+json',
  body: {
    type: 'about:blank',
    title: '{{code}}',
    status: '{{status}}',
    detail: '{{message}}',
    param: '{{param}}',
    request_id: '{{request_id}}',
    '...': '{{details}}',
  },
}

const DETAIL: ErrorForm = { body: { detail: '{{message}}', '...': '{{details}}' } }

/** What the scenario says about answers, if it decides that for a format. */
export function apiSettings({ configurable }: DialectTable, { api }: Scenario): Partial<Scenario['api']> {
  return configurable ? api : NONE
}

const NONE: Partial<Scenario['api']> = {}

/** How a service writes a rejection. */
export function errorForm(table: DialectTable, scenario: Scenario): ErrorForm {
  const { errors } = apiSettings(table, scenario)
  if (errors === 'problem') return PROBLEM
  return errors === 'detail' ? DETAIL : table.error
}

/** Returns the table with the webhooks that a scenario asks for: the same table for the same settings. */
export function webhookConfiguration(table: DialectTable): (scenario: Scenario) => DialectTable {
  const { webhook, configurable } = table
  if (!configurable || webhook === undefined) return () => table
  const tableOf = oncePer((settings: WebhookSettings) => ({
    ...table,
    webhook: configured(webhook, settings),
  }))
  return ({ webhooks }) => tableOf(webhooks)
}

function configured(
  { events, signature: usual, ...webhook }: WebhookTable,
  { retries, timeout, honorsRetryAfter, canceledEvent, signature }: WebhookSettings,
): WebhookTable {
  const { header, encoding, prefix } = signature
  const own: Partial<SignatureTable> = typeof usual === 'object' ? usual : {}
  return {
    ...webhook,
    retries,
    timeout,
    honor_retry_after: honorsRetryAfter,
    events: { ...events, canceled: canceledEvent === 'none' ? undefined : { name: canceledEvent } },
    signature: { ...own, header, encoding, value: `${prefix}{{signature}}` },
  }
}

/**
 * The signing secrets of a service: those of the scenario, else those of its table, else the public ones. A scenario
 * sets them for one format, or for all formats that it configures.
 */
export function signingSecrets(
  { name, webhook, configurable }: DialectTable,
  { dialects, webhooks }: Scenario,
): Pick<WebhookFormat, 'secret' | 'previousSecret'> {
  const { secret, previousSecret } = dialects[name] ?? {}
  const shared = configurable ? webhooks : undefined
  return {
    secret: secret ?? shared?.secret ?? webhook?.secret ?? DIALECT_SECRETS.secret,
    previousSecret: previousSecret ?? shared?.previousSecret ?? DIALECT_SECRETS.previous_secret,
  }
}
