import { signal } from '@preact/signals'
import type { SchemaNode } from '../model/editor/schema.js'
import { SCENARIO_SCHEMA_URL } from '../server/control.js'

/** The schema of scenarios; undefined until it is loaded. */
export const scenarioSchema = signal<SchemaNode | undefined>(undefined)

/** Loads the schema if necessary. Without it, the editor proposes nothing. */
export async function loadScenarioSchema(): Promise<void> {
  if (scenarioSchema.peek() !== undefined) return
  const response = await fetch(SCENARIO_SCHEMA_URL).catch(() => undefined)
  if (response?.ok) scenarioSchema.value = await response.json()
}
