import { getResponse } from 'msw'
import { describe, expect, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.js'
import { hostsFor } from '../support/deep.js'

/** Sends a request to a simulator through some host. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

interface Host {
  readonly name: string
  serve(sim: Simulator): Promise<{ origin: string; send: Send; close?: () => Promise<void> }>
}

const express: Host = {
  name: 'express',
  async serve(sim) {
    const { baseUrl, close } = await listen(sim, { port: 0 })
    const { origin } = new URL(baseUrl)
    return { origin, close, send: (path, init) => fetch(origin + path, init) }
  },
}

const msw: Host = {
  name: 'msw',
  async serve(sim) {
    const origin = 'https://api.example.com'
    const apiHandlers = handlers(sim)
    return {
      origin,
      async send(path, init) {
        const response = await getResponse(apiHandlers, new Request(origin + path, init))
        if (response === undefined) throw new Error(`No handler answers ${path}`)
        return response
      },
    }
  },
}

/** A client of a simulator with an API key, on either host. */
export interface Client {
  readonly sim: Simulator
  readonly origin: string
  /** Sends a request with only the given headers. */
  readonly send: Send
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the answer
  readonly body: any
}

export type Open = (options?: SimulatorOptions, key?: string) => Promise<Client>

/** Runs the same tests on both hosts: see {@link hostsFor}. An error inside the simulator fails the test that caused it. */
export function describeHosts(title: string, tests: (open: Open) => void): void {
  for (const host of hostsFor(title, [express, msw])) {
    describe(`${title} (${host.name})`, () => tests((options, key) => open(host, options, key)))
  }
}

async function open(host: Host, options: SimulatorOptions = {}, key = 'sk_live_local'): Promise<Client> {
  const sim = createSimulator({ clock: 'manual', ...options })
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  const { origin, send, close } = await host.serve(sim)
  onTestFinished(async () => {
    sim.close()
    await close?.()
    expect(errors).toEqual([])
  })
  const headers = { authorization: `Bearer ${key}` }
  return {
    sim,
    origin,
    send,
    get: async (path) => read(await send(path, { headers })),
    post: async (path, body) =>
      read(
        await send(path, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
        }),
      ),
  }
}

/** Returns an answer with its parsed JSON. */
export async function read(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

export const IMAGE = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }
export const VIDEO = { model: 'acme/video-1', input: { prompt: 'waves', duration: 8 } }
