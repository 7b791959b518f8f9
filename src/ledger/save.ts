import type { Simulator } from '../simulator/simulator.js'
import type { Row } from './ledger.js'
import { mainSpace, type Space, sandboxSpace } from './restore.js'

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
