import * as v from 'valibot'
import { checkTable } from '../../dialects/language/check-table.js'
import type { Fault } from '../../engine/requests/fault.js'
import type { WebhookFault } from '../../engine/webhooks/faults/webhook-fault.js'
import { checkLayer, checkValue, type Flaw } from '../../scenario/check/check.js'
import { isMapping } from '../../scenario/mapping.js'
import type { ScenarioLayer } from '../../scenario/scenario.js'
import { fault as faultForm } from '../../scenario/schema/fault.js'
import { webhookFault as webhookFaultForm } from '../../scenario/schema/webhook.js'
import { stepTo } from './leaves.js'

/** The parts of scenarios in rows. The language of scenarios checks them, without a second conversion. */

/** A fault of a request. */
export const fault = settings<Fault>((value) => checkValue(faultForm, value, true))

/** A fault of deliveries. */
export const webhookFault = settings<WebhookFault>((value) =>
  // A delivery without a fault has an empty one.
  isMapping(value) && Object.keys(value).length === 0
    ? { value: {} }
    : checkValue(webhookFaultForm, value, true),
)

/** The layer of a scenario, with the dialects of its user. */
export const layer = settings<ScenarioLayer>((value) => {
  const [own, tables] = withoutTables(value)
  const result = checkLayer(own, undefined, true)
  return 'flaws' in result ? result : { flaws: tables.flatMap(flawsOfTable) }
})

type Checked = { readonly flaws: readonly Flaw[] } | object

function settings<Value>(check: (value: unknown) => Checked): v.GenericSchema<Value> {
  return v.pipe(
    v.custom<Value>(isMapping, 'an object'),
    v.rawCheck(({ dataset: { value }, addIssue }) => {
      const result = check(value)
      for (const { path, message } of 'flaws' in result ? result.flaws : [])
        addIssue({
          message,
          ...(path.length > 0 && { path: path.map(stepTo) as [v.ObjectPathItem] }),
        })
    }),
  )
}

interface NamedTable {
  readonly name: string
  readonly table: unknown
}

/** Separates the descriptions of dialects, which a file has not, from the other settings. */
function withoutTables(layer: unknown): [own: unknown, tables: readonly NamedTable[]] {
  if (!isMapping(layer) || !isMapping(layer['dialects'])) return [layer, []]
  const tables: NamedTable[] = []
  const dialects = Object.entries(layer['dialects']).map(([name, settings]) => {
    if (!isMapping(settings) || settings['table'] === undefined) return [name, settings]
    const { table, ...rest } = settings
    tables.push({ name, table })
    return [name, rest]
  })
  return [{ ...layer, dialects: Object.fromEntries(dialects) }, tables]
}

function flawsOfTable({ name, table }: NamedTable): Flaw[] {
  const start = ['dialects', name, 'table']
  const result = checkTable(table)
  if ('flaws' in result)
    return result.flaws.map(({ path, atKey, message }) => ({ path: [...start, ...path], atKey, message }))
  if (result.value.name === name) return []
  return [{ path: [...start, 'name'], atKey: false, message: `expected the name ${name}` }]
}
