import type { Scenario } from '../scenario/scenario.js'
import type { Sandbox } from '../simulator/sandboxes.js'
import type { Simulator } from '../simulator/simulator.js'
import type { SimulatorParts } from '../simulator/simulator-parts.js'
import type { Row } from './ledger.js'
import { counterPart } from './parts/counters.js'
import { deliveryParts, deliveryTallyPart } from './parts/deliveries.js'
import { journalPart } from './parts/journal.js'
import { metaPart, type Resumption, requestCountPart } from './parts/meta.js'
import { receiverPart, registrationCountPart } from './parts/receivers.js'
import { sandboxPart, savedSandboxes } from './parts/sandboxes.js'
import { savedInitial, scenarioPart } from './parts/scenario.js'
import { accountPart, faultPart, limitPart, tablePart } from './parts/tables.js'
import { occurrencePart, taskParts } from './parts/tasks.js'
import { uploadParts } from './parts/uploads.js'
import type { SavedState } from './saved-state.js'
import type { StatePart } from './state-part.js'

/** A simulator with the parts of its state: the simulator itself, or one of its sandboxes. */
export interface Space {
  /** The id of the sandbox; empty for the simulator itself. */
  readonly id: string
  readonly sim: Simulator
  readonly parts: readonly StatePart[]
}

/** The simulator itself, as a space. */
function mainSpace(sim: Simulator, resumption?: Resumption): Space {
  return { id: '', sim, parts: [...stateParts(sim.parts, resumption), sandboxPart(sim)] }
}

/** A sandbox as a space. */
export function sandboxSpace({ identity: { id }, sim }: Sandbox<Simulator>, resumption?: Resumption): Space {
  return { id, sim, parts: stateParts(sim.parts, resumption) }
}

/**
 * Restores a new simulator and its sandboxes. Nothing becomes due before all of them are restored.
 * @param onRestored called with each space before {@link StatePart.complete}, which may change the space
 * @throws LedgerError if the rows do not belong to such a simulator; RowError if one of them cannot be used
 */
export async function restoreSpaces(
  sim: Simulator,
  saved: SavedState,
  resumption: Resumption,
  onRestored?: (space: Space) => void,
): Promise<void> {
  const restore = await prepareSpaces(sim, saved, resumption)
  restore(onRestored)
}

/**
 * Loads the code for the state of a simulator and builds its sandboxes, which changes nothing that can be seen.
 * @returns a function that restores the simulator at once. It must have no state by then
 * @throws as {@link restoreSpaces} does, which the function may do as well
 */
export async function prepareSpaces(
  sim: Simulator,
  saved: SavedState,
  resumption: Resumption,
): Promise<(onRestored?: (space: Space) => void) => void> {
  try {
    const given = sim.initialScenario
    const main = mainSpace(sim, resumption)
    await prepare(main, saved)
    const sandboxes = builtSandboxes(sim, saved, given)
    const spaces = [main, ...sandboxes.map((sandbox) => sandboxSpace(sandbox, resumption))]
    for (const space of spaces.slice(1)) await prepare(space, saved)
    return (onRestored = () => {}) => {
      try {
        for (const { id, parts } of spaces) for (const part of parts) part.restore(saved.rows(id, part.kind))
        for (const sandbox of sandboxes) sim.sandboxes.add(sandbox)
        for (const space of spaces) onRestored(space)
        for (const { parts } of spaces) for (const part of parts) part.complete?.()
      } catch (error) {
        throw saved.explain(error)
      }
    }
  } catch (error) {
    throw saved.explain(error)
  }
}

async function prepare({ id, parts }: Space, saved: SavedState): Promise<void> {
  for (const part of parts) await part.prepare?.(saved.rows(id, part.kind))
}

/** Builds the saved sandboxes without their state. */
function builtSandboxes(sim: Simulator, saved: SavedState, given: Scenario): Sandbox<Simulator>[] {
  return [...savedSandboxes(saved.rows('', 'sandbox'))].map(([number, { identity, idle, own }]) => {
    const scenario = savedInitial(saved.rows(identity.id, 'scenario'), given) ?? given
    return { number, identity, idle, sim: sim.buildSandbox(identity, scenario, own) }
  })
}

/** All rows of a simulator and its sandboxes, as they are now. */
export function* rowsOf(sim: Simulator): Iterable<Row> {
  yield* rowsOfSpace(mainSpace(sim))
  for (const sandbox of sim.sandboxes.list()) yield* rowsOfSpace(sandboxSpace(sandbox))
}

function* rowsOfSpace({ id: space, parts }: Space): Iterable<Row> {
  for (const part of parts) {
    for (const seq of part.numbers()) {
      const content = part.write(seq)
      if (content === undefined) continue
      yield { space, kind: part.kind, seq, json: JSON.stringify(content.value), bytes: content.bytes }
    }
  }
}

/** All parts of the state of a simulator, in the order in which they are restored. */
function stateParts(parts: SimulatorParts, resumption: Resumption = 'as-if-running'): readonly StatePart[] {
  return [
    metaPart(parts, resumption),
    scenarioPart(parts),
    requestCountPart(parts),
    accountPart(parts),
    limitPart(parts),
    faultPart(parts),
    tablePart(parts, { kind: 'webhook fault count', tables: () => parts.webhooks.faults.counts }),
    ...uploadParts(parts),
    receiverPart(parts),
    registrationCountPart(parts),
    occurrencePart(parts),
    ...taskParts(parts),
    ...deliveryParts(parts),
    deliveryTallyPart(parts),
    counterPart(parts),
    journalPart(parts),
  ]
}
