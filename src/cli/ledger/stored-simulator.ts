import type { Attached } from '../../ledger/attach.js'
import type { StandBy } from '../../ledger/lead-ledger.js'
import { hasStandbys, type LedgerOptions } from '../../ledger/open-ledger.js'
import type { Scenario } from '../../scenario/scenario.js'
import type { Simulator } from '../../simulator/simulator.js'
import { type LoadedSimulator, loadSimulator } from '../load-simulator.js'
import type { SimulatorArguments } from '../options/server-options.js'

/** A simulator with the ledger that stores its state. */
export interface StoredSimulator extends LoadedSimulator {
  readonly attached: Attached
  /** Resolves when another process has become the leader. The simulator sends no more responses or webhooks. */
  readonly deposed: Promise<void>
}

/**
 * Builds the simulator of a command and restores it from its ledger. The scenario and the clock of the command line
 * override the stored ones, unless this process takes over from another one.
 * @param continues whether an earlier server of this process has led the ledger
 * @param standBy waits until this process leads a ledger that another process leads
 * @returns undefined if `standBy` gave up
 * @throws as `loadSimulator`; LedgerError if the ledger cannot be used, or has the state of another seed
 */
export async function loadStoredSimulator(
  args: SimulatorArguments,
  { continues, standBy, ...options }: LedgerOptions & { continues: boolean; standBy: StandBy },
): Promise<StoredSimulator | undefined> {
  const [{ attach }, { leadLedger, leadOr }, { seedOf }] = await Promise.all([
    import('../../ledger/attach.js'),
    import('../../ledger/lead-ledger.js'),
    import('../../ledger/parts/meta.js'),
  ])
  const led = await (hasStandbys(options.address) ? leadOr(options, standBy) : leadLedger(options))
  if (led === undefined) return undefined
  try {
    const loaded = await loadSimulator(args, seedOf(led.saved))
    const { sim } = loaded
    const given = args.scenario === undefined ? undefined : sim.initialScenario
    const adjust = () => {
      if (led.isTakeover || continues) return
      overrideScenario(sim, given)
      overrideClock(sim, args)
    }
    let onDeposed = () => {}
    const deposed = new Promise<void>((resolve) => {
      onDeposed = resolve
    })
    const attached = await attach(sim, led, { ...options, adjust, onDeposed })
    return { ...loaded, attached, deposed }
  } catch (error) {
    await led.ledger.close()
    throw error
  }
}

/**
 * The counts of rules and limits belong to a scenario, so they end only if the given scenario differs from the stored
 * one.
 */
function overrideScenario(sim: Simulator, given: Scenario | undefined): void {
  if (given !== undefined && textOf(given) !== textOf(sim.scenario)) sim.useScenario(given, { keep: true })
}

function textOf({ name, text, layer }: Scenario): string {
  return JSON.stringify([name, text, layer])
}

function overrideClock({ clock }: Simulator, { clock: mode, speed }: SimulatorArguments): void {
  if (mode === 'manual') clock.freeze()
  else if (speed !== undefined) clock.run(speed)
  else if (mode === 'real' && clock.mode === 'manual') clock.run()
}
