import { getResponse } from 'msw'
import { describe, expect, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.js'
import { hostsFor } from '../support/deep.js'

/** A client of one dialect, on either host. Paths are those of the service itself. */
interface DialectClient {
  readonly sim: Simulator
  /** The start of the URLs of the service. */
  readonly base: string
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  remove(path: string): Promise<Answer>
  /** Sends a request without a key, and does not read the answer. */
  request(url: string, init?: RequestInit): Promise<Response>
  /** Sends any request. A path is that of the service, and gets its key. */
  send(target: string, init: RequestInit): Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the answer
  readonly body: any
}

export type OpenDialect = (options?: SimulatorOptions) => Promise<DialectClient>

interface Host {
  readonly name: string
  serve(
    sim: Simulator,
    dialect: string,
    origin: string,
  ): Promise<{ base: string; send(url: string, init: RequestInit): Promise<Response>; close?: () => unknown }>
}

const express: Host = {
  name: 'express',
  async serve(sim, dialect) {
    const { baseUrl, close } = await listen(sim, { port: 0 })
    return { base: `${new URL(baseUrl).origin}/${dialect}`, send: fetch, close }
  },
}

const msw: Host = {
  name: 'msw',
  async serve(sim, dialect, origin) {
    const own = handlers(sim, { dialect })
    return {
      base: origin,
      async send(url, init) {
        const response = await getResponse(own, new Request(url, init))
        if (response === undefined) throw new Error(`No handler answers ${url}`)
        return response
      },
    }
  },
}

/**
 * Runs the same tests on both hosts: see {@link hostsFor}.
 * @param origin the origin that the service's own client calls
 * @param key the header of the API key
 */
export function describeDialect(
  dialect: string,
  origin: string,
  key: Readonly<Record<string, string>>,
  tests: (open: OpenDialect) => void,
): void {
  for (const host of hostsFor(dialect, [express, msw])) {
    describe(`the dialect ${dialect} (${host.name})`, () =>
      tests(async (options = {}) => {
        const sim = createSimulator({ clock: 'manual', ...options })
        const errors: unknown[] = []
        sim.on('error', (error) => errors.push(error))
        const { base, send, close } = await host.serve(sim, dialect, origin)
        onTestFinished(async () => {
          sim.close()
          await close?.()
          expect(errors).toEqual([])
        })
        const call = async (path: string, init: RequestInit) => read(await send(base + path, init))
        const headers = { ...key, 'content-type': 'application/json' }
        return {
          sim,
          base,
          send: async (target, init) =>
            target.startsWith('/')
              ? call(target, {
                  ...init,
                  headers: { ...key, ...Object.fromEntries(new Headers(init.headers)) },
                })
              : read(await send(target, init)),
          get: (path) => call(path, { headers: key }),
          post: (path, body) => call(path, { method: 'POST', headers, body: JSON.stringify(body ?? {}) }),
          request: (url, init = {}) => send(url, init),
          remove: (path) => call(path, { method: 'DELETE', headers: key }),
        }
      }))
  }
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response
  const isJson = headers.get('content-type')?.includes('json')
  const text = await response.text()
  return { status, headers, body: isJson ? JSON.parse(text) : text }
}
