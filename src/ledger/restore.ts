import type { Sandbox } from '../engine/sandboxes.js'
import type { Scenario } from '../scenario/model/scenario.js'
import type { Simulator } from '../simulator.js'
import type { Resumption } from './parts/meta.js'
import { sandboxPart, savedSandboxes } from './parts/sandboxes.js'
import { savedInitial } from './parts/scenario.js'
import type { SavedRows } from './rows-by-space.js'
import { stateParts } from './state.js'
import type { StatePart } from './state-part.js'

/** A simulator with the parts of its state: the simulator itself, or one of its sandboxes. */
export interface Space {
  /** The id of the sandbox; empty for the simulator itself. */
  readonly id: string
  readonly sim: Simulator
  readonly parts: readonly StatePart[]
}

/** The rows of all spaces, by their ids. */
export type SavedSpaces = ReadonlyMap<string, SavedRows>

const NO_ROWS: SavedRows = new Map()

/** The simulator itself, as a space. */
export function mainSpace(sim: Simulator, resumption?: Resumption): Space {
  return { id: '', sim, parts: [...stateParts(sim.parts, resumption), sandboxPart(sim)] }
}

/** A sandbox as a space. */
export function sandboxSpace({ identity: { id }, sim }: Sandbox<Simulator>, resumption?: Resumption): Space {
  return { id, sim, parts: stateParts(sim.parts, resumption) }
}

/**
 * Restores a new simulator and its sandboxes. Nothing becomes due before all of them are restored.
 * @param onRestored called with each space before {@link StatePart.complete}, which may change the space
 * @throws LedgerError if the rows do not belong to such a simulator
 */
export async function restoreSpaces(
  sim: Simulator,
  saved: SavedSpaces,
  resumption: Resumption,
  onRestored: (space: Space) => void = () => {},
): Promise<void> {
  const given = sim.parts.active.initial
  const main = mainSpace(sim, resumption)
  await prepare(main, saved)
  const sandboxes = builtSandboxes(sim, saved, given)
  const spaces = [main, ...sandboxes.map((sandbox) => sandboxSpace(sandbox, resumption))]
  for (const space of spaces.slice(1)) await prepare(space, saved)
  for (const space of spaces) restoreParts(space, saved)
  for (const sandbox of sandboxes) sim.sandboxes.add(sandbox)
  for (const space of spaces) onRestored(space)
  for (const { parts } of spaces) for (const part of parts) part.complete?.()
}

/** Builds the saved sandboxes without their state. */
function builtSandboxes(sim: Simulator, saved: SavedSpaces, given: Scenario): Sandbox<Simulator>[] {
  const rows = saved.get('')?.get('sandbox') ?? []
  return [...savedSandboxes(rows)].map(([number, { identity, idle, own }]) => {
    const scenario = savedInitial(saved.get(identity.id)?.get('scenario') ?? [], given) ?? given
    return { number, identity, idle, sim: sim.buildSandbox(identity, scenario, own) }
  })
}

async function prepare({ id, parts }: Space, saved: SavedSpaces): Promise<void> {
  const rows = saved.get(id) ?? NO_ROWS
  for (const part of parts) await part.prepare?.(rows.get(part.kind) ?? [])
}

function restoreParts({ id, parts }: Space, saved: SavedSpaces): void {
  const rows = saved.get(id) ?? NO_ROWS
  for (const part of parts) part.restore(rows.get(part.kind) ?? [])
}
