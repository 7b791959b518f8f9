import { replaceLayer } from '../../scenario/layers/assemble.js'
import type { Scenario } from '../../scenario/scenario.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import { configureParts } from '../../simulator/state.js'
import { LedgerError } from '../ledger-error.js'
import type { RowValue } from '../rows/check-row.js'
import type { SavedRow, StatePart } from '../state-part.js'

/** The numbers of the rows. There is no row of the active scenario if it is the initial one. */
const SINCE = 0
const INITIAL = 1
const ACTIVE = 2
const NUMBERS = [SINCE, INITIAL, ACTIVE]

type SavedScenario = Exclude<RowValue<'scenario'>, number>

/** The active scenario, since when it is active, and the scenario that a reset restores. */
export function scenarioPart(parts: SimulatorParts): StatePart<'scenario'> {
  const { active, events } = parts
  return {
    kind: 'scenario',
    prepare(rows) {
      for (const { dialects } of savedScenarios(rows, active.initial))
        for (const [name, settings] of Object.entries(dialects)) parts.dialects.ensure(name, settings)
    },
    watch(changed) {
      events.on('control.used', (use) => {
        if (use === 'scenario' || use === 'reset') NUMBERS.forEach(changed)
      })
    },
    numbers: () => NUMBERS,
    write(seq) {
      if (seq === SINCE) return { value: active.requestPolicy.start }
      if (seq === INITIAL) return { value: saved(active.initial) }
      return isSame(active.current, active.initial) ? undefined : { value: saved(active.current) }
    },
    restore(rows) {
      const [initial, current = initial] = savedScenarios(rows, active.initial)
      if (initial === undefined || current === undefined) return
      active.restore(
        initial,
        current,
        rows.map(({ value }) => value).find((value) => typeof value === 'number'),
      )
      configureParts(parts)
    },
  }
}

/**
 * Reads the scenario that a reset restores.
 * @param given the scenario at the start, whose recording may be needed
 * @returns undefined if no row has one
 * @throws LedgerError if it is a recording that was not given at the start
 */
export function savedInitial(
  rows: readonly SavedRow<RowValue<'scenario'>>[],
  given: Scenario,
): Scenario | undefined {
  return savedScenarios(rows, given)[0]
}

/** The initial scenario and, if it is another one, the active scenario. */
function savedScenarios(rows: readonly SavedRow<RowValue<'scenario'>>[], given: Scenario): Scenario[] {
  return rows.flatMap(({ value }) => (typeof value === 'number' ? [] : [restored(value, given)]))
}

function saved({ name, text, layer, sources, recorded }: Scenario): object {
  return { name, text, layer, sources, isRecording: recorded !== undefined }
}

function restored({ isRecording, text, ...scenario }: SavedScenario, given: Scenario): Scenario {
  if (isRecording && (given.recorded === undefined || given.name !== scenario.name))
    throw new LedgerError(
      `The saved state needs the recording ${scenario.name}, which it does not contain. Give that recording as the scenario.`,
    )
  const whole = replaceLayer(scenario, scenario.layer, text)
  return isRecording ? { ...whole, recorded: given.recorded } : whole
}

function isSame(a: Scenario, b: Scenario): boolean {
  return a.layer === b.layer && a.name === b.name && a.text === b.text && a.recorded === b.recorded
}
