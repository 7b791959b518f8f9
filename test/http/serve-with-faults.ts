import { expect, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator, type ScenarioInput, type Simulator } from '../../src/index.js'
import type { RawSocket } from './raw-socket.js'

type Then = NonNullable<ScenarioInput['faults']>[number]['then']
/** A single fault in the form of a scenario. */
export type FaultInput = Exclude<Then, readonly unknown[]>

interface ServerWithFaults {
  readonly sim: Simulator
  readonly origin: string
  close(): Promise<void>
  /** Resolves when a request waits for the clock, and all earlier bytes have arrived. */
  waits(socket: RawSocket): Promise<RawSocket>
}

/** Starts a server with these faults on a manual clock, which only the test moves. */
export async function serveWithFaults(
  then: FaultInput | FaultInput[],
  more: ScenarioInput = {},
): Promise<ServerWithFaults> {
  const sim = createSimulator({ clock: 'manual', patience: '1h', scenario: { ...more, faults: [{ then }] } })
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    sim.close()
    await close()
    expect(errors).toEqual([])
  })
  const { origin } = new URL(baseUrl)
  return {
    sim,
    origin,
    close,
    async waits(socket) {
      await expect.poll(() => sim.clock.next).toBeDefined()
      for (let round = 0; round < 3; round++) await fetch(`${origin}/_sim/clock`)
      return socket
    },
  }
}
