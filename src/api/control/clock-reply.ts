import type { Simulator } from '../../simulator.js'
import type { Reply } from '../exchange.js'
import { json } from '../reply.js'

/** Tells what time it is, how it runs, and when something is planned. */
export function clockReply({ clock }: Simulator): Reply {
  const { mode, speed, next } = clock
  return json(200, {
    now: new Date(clock.now()).toISOString(),
    mode,
    speed,
    next: next === undefined ? null : new Date(next).toISOString(),
  })
}
