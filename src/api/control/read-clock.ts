import type { Operation } from '../operation.js'
import { clockReply } from './clock-reply.js'

/** Tells what time it is, how it runs, and what comes next. */
export const readClock: Operation = {
  id: 'sim.clock.read',
  authenticated: false,
  run: ({ sim }) => clockReply(sim),
}
