import { endsWithin } from '../../engine/clock/in-flight.js'
import { startTimer, stopwatch } from '../../engine/clock/system-clock.js'
import { counted } from '../../engine/counted.js'
import type { Simulator } from '../../simulator/simulator.js'
import { duration, type ServerLog } from '../log.js'
import { colors, flush } from '../output.js'

/** How a server shuts down. */
interface ShutdownOptions {
  /** Milliseconds of real time to wait for pending deliveries; 0 does not wait. */
  readonly limit: number
  /** Whether a ledger stores the deliveries that are left. */
  readonly isStored: boolean
}

/** Waits for pending deliveries, and logs how many of them are left. */
export async function settleDeliveries(
  sim: Simulator,
  log: ServerLog,
  { limit, isStored }: ShutdownOptions,
): Promise<void> {
  // A manual clock handles due events only at the next request, even the end of a task without a delay.
  if (limit > 0) await Promise.all(withSandboxes(sim).map((each) => each.time.schedule.catchUp()))
  const pending = pendingDeliveries(sim)
  if (pending > 0 && limit > 0) {
    const text = `Waiting up to ${duration(limit)} for ${counted(pending, 'pending webhook')}. Send a second signal to exit immediately.`
    log.event(
      'shutdown',
      () => ({ state: 'draining', pending, limit_ms: limit }),
      () => colors.yellow(text),
    )
    flush()
    await drain(sim, limit)
  }
  const left = pendingDeliveries(sim)
  const counts = isStored ? { stored: left } : { dropped: left }
  if (pending > 0)
    log.event(
      'shutdown',
      () => ({ state: 'ended', ...counts, limit_ms: limit }),
      () => ending(left, { limit, isStored }),
    )
  flush()
}

function ending(left: number, { limit, isStored }: ShutdownOptions): string {
  const webhooks = counted(left, 'pending webhook')
  if (left === 0) return colors.green('All pending webhooks are finished.')
  if (isStored) return colors.green(`Stored ${webhooks} in the ledger.`)
  const remedy = limit === 0 ? ' To wait for them, pass --drain 10s.' : ''
  return colors.yellow(`Dropped ${webhooks}.${remedy}`)
}

/** The number of unfinished deliveries of a simulator and its sandboxes. */
function pendingDeliveries(sim: Simulator): number {
  return withSandboxes(sim).reduce((sum, { webhooks }) => sum + webhooks.log.counts.pending, 0)
}

/** Milliseconds between two checks for pending deliveries. */
const INTERVAL = 25

/**
 * Waits until every delivery that is in flight or becomes due within the limit has ended. On a manual clock nothing
 * becomes due, so it waits only for deliveries that are due already.
 */
async function drain(sim: Simulator, limit: number): Promise<void> {
  const deadline = stopwatch() + limit
  await Promise.all(withSandboxes(sim).map((each) => drainOne(each, deadline)))
}

async function drainOne(sim: Simulator, deadline: number): Promise<void> {
  const left = () => deadline - stopwatch()
  if (sim.clock.mode === 'manual') {
    await endsWithin(left(), sim.settled())
    return
  }
  while (left() > 0 && hasAttemptsWithin(sim, left())) await pause(INTERVAL)
}

function hasAttemptsWithin({ clock, webhooks }: Simulator, milliseconds: number): boolean {
  const end = clock.now() + milliseconds * clock.speed
  for (const { nextAt } of webhooks.log.pending()) if (nextAt === undefined || nextAt <= end) return true
  return false
}

function withSandboxes(sim: Simulator): Simulator[] {
  return [sim, ...sim.sandboxes.list().map((sandbox) => sandbox.sim)]
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    startTimer(milliseconds, resolve, true)
  })
}
