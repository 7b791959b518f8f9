import type { SetupServer } from 'msw/node'
import { expect } from 'vitest'
import { Mirror } from '../../src/cli/record/mirror/mirror.js'
import type { Simulator } from '../../src/index.js'
import { PassingExchanges } from './pass-through.js'

/** Shows a service, as a proxy sees it between an MSW server and its client. */
export async function mirrorOf(sim: Simulator, server: SetupServer, dialect: string) {
  const mirror = await Mirror.open({
    dialect,
    upstream: 'https://api.example.com',
    file: 'recording.jsonl',
    seesWebhooks: false,
  })
  const errors: unknown[] = []
  mirror.sim.on('error', (error) => errors.push(error))
  const passing = new PassingExchanges(
    server,
    () => sim.clock.now(),
    (passed) => mirror.exchange(passed),
  )
  /** Waits until everything is shown, and closes the mirror. @returns the ids of its findings */
  const findings = async () => {
    await passing.settled()
    await mirror.settled()
    const found = (await mirror.sim.verdict({ final: true })).findings.map(({ id }) => id)
    mirror.close()
    expect(errors).toEqual([])
    return found
  }
  return {
    sim: mirror.sim,
    findings,
    /** Expects that the mirror accuses the client of nothing of which the service itself does not accuse it. */
    async expectNoMoreFindings() {
      const found = await findings()
      const known = new Set((await sim.verdict({ final: true })).findings.map(({ id }) => id))
      // The service knows whether the client has read a stream to its end; the proxy does not.
      // To fal's clients, a canceled request is complete, and the answer to its cancellation may come later.
      if (hasUnreadStream(sim) || showsCancellation(sim)) known.add('result-never-fetched')
      expect(found.filter((id) => !known.has(id))).toEqual([])
    },
  }
}

function hasUnreadStream({ journal }: Simulator): boolean {
  return journal
    .entries()
    .some(
      (entry) =>
        entry.type === 'request' &&
        entry.request.operation === 'tasks.stream' &&
        entry.request.note.observed === undefined,
    )
}

/** Whether a poll has shown that its task was canceled. */
function showsCancellation({ journal }: Simulator): boolean {
  return journal
    .entries()
    .some(
      (entry) =>
        entry.type === 'request' &&
        entry.request.operation === 'tasks.retrieve' &&
        entry.request.note.observed?.some(({ status }) => status === 'canceled'),
    )
}
