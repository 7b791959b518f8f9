import { MAX_SANDBOXES, type Sandbox } from '../../simulator/sandboxes.js'
import { findUnusableSetting } from '../../simulator/settings.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { RowValue } from '../rows/check-row.js'
import type { SavedRow, StatePart } from '../state-part.js'
import { differs } from './row-checks.js'

/** The number of the row that counts all sandboxes ever created. */
const CREATED = 0

/** What a sandbox is built from, besides its scenario. */
type SavedSandbox = Exclude<RowValue<'sandbox'>, number>

const OWN = ['seed', 'clock', 'speed', 'start', 'webhookSecret'] as const

/** The sandboxes of a simulator. A row has the number of its sandbox. The state of each is in a space of its own. */
export function sandboxPart({ sandboxes, parts: { events } }: Simulator): StatePart<'sandbox'> {
  const byNumber = new Map<number, Sandbox<Simulator>>()
  return {
    kind: 'sandbox',
    watch(changed) {
      events.on('sandbox.created', (id) => {
        const sandbox = sandboxes.get(id)
        if (sandbox === undefined) return
        byNumber.set(sandbox.number, sandbox)
        changed(CREATED)
        changed(sandbox.number)
      })
      events.on('sandbox.deleted', (id) => {
        const { number = CREATED } = sandboxes.get(id) ?? {}
        byNumber.delete(number)
        changed(number)
      })
    },
    *numbers() {
      yield CREATED
      for (const sandbox of sandboxes.list()) {
        byNumber.set(sandbox.number, sandbox)
        yield sandbox.number
      }
    },
    write(seq) {
      if (seq === CREATED) return { value: sandboxes.created }
      const sandbox = byNumber.get(seq)
      return sandbox && { value: saved(sandbox) }
    },
    restore(rows) {
      for (const { value } of rows) if (typeof value === 'number') sandboxes.created = value
    },
  }
}

/** Reads the rows of {@link sandboxPart}: what each sandbox is built from, by its number. */
export function savedSandboxes(
  rows: readonly SavedRow<RowValue<'sandbox'>>[],
): ReadonlyMap<number, SavedSandbox> {
  const all = new Map<number, SavedSandbox>()
  const used = new Set<string>()
  for (const { seq, value } of rows) {
    if (typeof value === 'number') continue
    const { id, key } = value.identity
    if (used.has(id) || used.has(key)) throw new Error(differs('identity', id))
    if (all.size === MAX_SANDBOXES) throw new Error(`there are more than ${MAX_SANDBOXES} sandboxes`)
    checkOwn(value.own)
    used.add(id).add(key)
    all.set(seq, value)
  }
  return all
}

/** @throws Error if a sandbox cannot have these options */
function checkOwn(own: SavedSandbox['own']): void {
  const unusable = findUnusableSetting(own)
  if (unusable !== undefined) throw new Error(`\`own.${unusable.name}\` must be ${unusable.expected}`)
}

function saved({ identity, idle, sim: { settings } }: Sandbox<Simulator>): object {
  return { identity, idle, own: Object.fromEntries(OWN.map((name) => [name, settings[name]])) }
}
