import type { Exploration } from '../engine/exploration/exploration.js'
import type { Simulator } from '../simulator/simulator.js'
import type { RunSpec } from './run.js'

/** Begins an ordered run on a simulator: the requests from now on are its requests. */
export function beginRun(
  sim: Simulator,
  { deviations, orders, ignoresInput }: RunSpec,
): Promise<Exploration> {
  return sim.explore({ deviations: deviations.map(({ armed }) => armed), orders, ignoresInput })
}
