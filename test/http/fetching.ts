import { setImmediate } from 'node:timers/promises'
import * as library from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type ScenarioInput, type Simulator } from '../../src/index.js'
import { hostsFor } from '../support/deep.js'

/** An application that calls the simulated service with the global fetch. */
export interface Application {
  readonly sim: Simulator
  /** Fetches from the API with a key. */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>
  readonly create: (body: object, init?: RequestInit) => Promise<Response>
  /** Resolves when an answer waits for the clock. */
  waits(): Promise<void>
}

interface Host {
  readonly name: string
  /**
   * Whether the application sees an error for a truncated body. MSW 3 sends headers with the first chunk, and ends
   * normally.
   */
  readonly breaksOff: boolean
  serve(sim: Simulator): Promise<{ origin: string; close: () => Promise<void> | void }>
}

const express: Host = {
  name: 'express',
  breaksOff: true,
  async serve(sim) {
    const { baseUrl, close } = await listen(sim, { port: 0 })
    return { origin: new URL(baseUrl).origin, close }
  },
}

/** The option names of MSW 2 and of MSW 3. */
const strictly = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const

const msw: Host = {
  name: 'msw',
  breaksOff: 'handleRequest' in library,
  async serve(sim) {
    const server = setupServer(...handlers(sim))
    server.listen(strictly)
    return { origin: 'https://api.example.com', close: () => server.close() }
  },
}

/**
 * Runs the same tests with fetch on both hosts: see {@link hostsFor}. Console output and errors inside the simulator fail the test that
 * caused them.
 */
export function describeFetch(
  title: string,
  tests: (start: (faults: ScenarioInput['faults']) => Promise<Application>, host: Host) => void,
): void {
  for (const host of hostsFor(title, [express, msw])) {
    describe(`${title} (${host.name})`, () => tests((faults) => start(host, { faults }), host))
  }
}

async function start(host: Host, scenario: ScenarioInput): Promise<Application> {
  const sim = createSimulator({ clock: 'manual', patience: '1h', scenario })
  const reported: unknown[] = []
  sim.on('error', (error) => reported.push(error))
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, level).mockImplementation((...args) => void reported.push(args))
  const onWarning = (warning: unknown) => void reported.push(warning)
  process.on('warning', onWarning)
  const { origin, close } = await host.serve(sim)
  onTestFinished(async () => {
    await setImmediate()
    sim.close()
    await close()
    process.off('warning', onWarning)
    expect(reported).toEqual([])
  })
  const authorization = 'Bearer sk_live_local'
  const headers = { authorization, 'content-type': 'application/json' }
  return {
    sim,
    call: (path, init) => fetch(`${origin}/api/v1${path}`, { headers: { authorization }, ...init }),
    create: (body, init) =>
      fetch(`${origin}/api/v1/tasks`, { method: 'POST', headers, body: JSON.stringify(body), ...init }),
    waits: () => expect.poll(() => sim.clock.next).toBeDefined(),
  }
}
