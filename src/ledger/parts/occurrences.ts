import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { StatePart } from '../state-part.js'

/** How often each order without a remaining task has occurred. The number of a row is the fingerprint of the order. */
export function occurrencePart({ tasks, events }: SimulatorParts): StatePart<'occurrences'> {
  return {
    kind: 'occurrences',
    watch(changed) {
      events.on('task.forgotten', ({ identity }) => changed(identity))
    },
    numbers: () => tasks.factory.occurrences.releasedKeys(),
    write(seq) {
      const released = tasks.factory.occurrences.releasedOf(seq)
      return released === 0 ? undefined : { value: released }
    },
    restore(rows) {
      for (const { seq, value } of rows) tasks.factory.occurrences.restoreReleased(seq, value)
    },
  }
}
