import { Problem } from '../../http/exchange/problem.js'
import type { Exchange } from '../../http/operation.js'
import { CONTROL_PATHS, type ControlId } from '../paths.js'

/** The operations that change nothing about the service, although they are no GET requests. */
const HARMLESS: readonly ControlId[] = ['sim.preview', 'sim.observations.add', 'sim.requests.write']

/** @throws Problem 405 if an operation would change a simulation, but the simulator shows a real service */
export function checkMirrored(
  id: ControlId,
  { sim: { mirrored }, request: { method, path } }: Exchange,
): void {
  if (mirrored === undefined || CONTROL_PATHS[id].startsWith('GET ') || HARMLESS.includes(id)) return
  throw new Problem(
    'method_not_allowed',
    `${method} ${path.slice(0, 200)} would change a simulation, but this server records ${mirrored.upstream}. Run \`tasksim\` for a simulation.`,
  )
}
