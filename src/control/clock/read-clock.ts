import type { Operation } from '../../http/operation.js'
import { json } from '../../http/reply.js'
import { clockShape } from './clock-shape.js'

/** Tells what time it is, how it runs, and what comes next. */
export const readClock: Operation = {
  id: 'sim.clock.read',
  authenticated: false,
  run: ({ sim }) => json(200, clockShape(sim)),
}
