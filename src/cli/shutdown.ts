import type { Simulator } from '../simulator.js'
import { catchUp, drain, pendingDeliveries } from './drain.js'
import { type LogFormat, shutdownLine } from './log.js'
import { flush, print } from './output.js'

/**
 * Waits for pending deliveries as long as that is wanted, and logs how many are dropped.
 * @param limit milliseconds of real time; 0 waits for nothing
 */
export async function settleDeliveries(sim: Simulator, limit: number, format: LogFormat): Promise<void> {
  if (limit > 0) await catchUp(sim)
  const pending = pendingDeliveries(sim)
  if (pending > 0 && limit > 0) {
    print(shutdownLine(format, sim.clock.now(), { state: 'draining', pending, limit }))
    flush()
    await drain(sim, limit)
  }
  const dropped = pendingDeliveries(sim)
  if (pending > 0) print(shutdownLine(format, sim.clock.now(), { state: 'ended', dropped, limit }))
  flush()
}
