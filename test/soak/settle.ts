import type { Control } from '../../src/client/index.js'
import { compiled } from '../support/server.js'

const ROUNDS = 50

/** Returns the control API of a server. */
export async function controlOf(port: number): Promise<Control> {
  const { connect }: typeof import('../../src/client/index.js') = await import(compiled('client/index.js'))
  return connect(`http://127.0.0.1:${port}`)
}

/** Lets all tasks and webhooks end, including held ones. */
export async function settle(control: Control): Promise<void> {
  // Removes the faults, which would disturb the counts.
  await control.scenario.replace({ name: 'default' })
  await control.clock.freeze()
  for (let round = 0; round < ROUNDS; round++) {
    await control.clock.runUntilIdle()
    const { tasks, deliveries } = await control.state()
    if (!tasks['queued'] && !tasks['processing'] && !deliveries['pending']) return
  }
}

/** Waits in real time until no webhook is in transmission, except held ones. */
export async function drained(control: Control, seconds: number): Promise<void> {
  const begin = performance.now()
  while (performance.now() - begin < seconds * 1_000) {
    if (!(await control.state()).deliveries['pending']) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
