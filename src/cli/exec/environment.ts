import { apiKeyFor } from '../../http/api-key.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { misuse } from '../explain.js'

/** What a command may be told through a variable of its environment. */
const TOLD = ['base_url', 'api_key', 'webhook_secret', 'origin'] as const
type Told = (typeof TOLD)[number]

/** A variable, and what it is to hold. */
export interface Variable {
  readonly name: string
  readonly told: Told
}

/**
 * Reads a variable that is written as NAME=base_url.
 * @throws UsageError where it is not written so
 */
export function readVariable(text: string): Variable {
  const [, name, told] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(text) ?? []
  if (name !== undefined && TOLD.includes(told as Told)) return { name, told: told as Told }
  throw misuse(
    `--env must be NAME=WHAT, where WHAT is one of ${TOLD.join(', ')}; got ${JSON.stringify(text)}.`,
  )
}

/** The variables by which a command finds the simulator. */
export function environmentFor(
  baseUrl: string,
  scenario: Scenario,
  further: readonly Variable[],
): Record<string, string> {
  const values: Readonly<Record<Told, string>> = {
    base_url: baseUrl,
    api_key: apiKeyFor(scenario),
    webhook_secret: scenario.webhooks.secret,
    origin: new URL(baseUrl).origin,
  }
  return {
    TASKSIM_URL: values.base_url,
    TASKSIM_API_KEY: values.api_key,
    TASKSIM_WEBHOOK_SECRET: values.webhook_secret,
    ...Object.fromEntries(further.map(({ name, told }) => [name, values[told]])),
  }
}
