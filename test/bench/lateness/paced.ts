import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { send } from '../request.js'
import { createBody, KEY, POLLS_PER_CREATE } from '../traffic.js'

const TICK = 5

/**
 * Creates and polls tasks at a fixed rate, regardless of the answer times, over 32 connections.
 * @returns the number of answered requests
 */
export async function pace(port: number, rate: number, milliseconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const creates = rate / (1 + POLLS_PER_CREATE)
  const lives = await steadily(creates, milliseconds, (number) => live(agent, port, number))
  agent.destroy()
  return lives * (1 + POLLS_PER_CREATE)
}

/** Starts an action at a fixed rate, and waits until all runs have ended. @returns the number of runs */
export async function steadily(
  perSecond: number,
  milliseconds: number,
  begin: (number: number) => Promise<void>,
): Promise<number> {
  const all = new Set<Promise<void>>()
  let begun = 0
  const since = performance.now()
  for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - since) {
    while (begun < (elapsed * perSecond) / 1_000) {
      const one = begin(begun++)
      all.add(one)
      // Keeps a failed run, so that the final wait reports it.
      one.then(
        () => all.delete(one),
        () => {},
      )
    }
    await wait(TICK)
  }
  await Promise.all(all)
  return begun
}

async function live(agent: Agent, port: number, number: number): Promise<void> {
  const { id } = JSON.parse(await take(agent, port, 'POST', '', createBody(number)))
  for (let poll = 0; poll < POLLS_PER_CREATE; poll++) await take(agent, port, 'GET', `/${id}`)
}

async function take(agent: Agent, port: number, method: string, path: string, body?: string) {
  const asked = { agent, port, method, path: `/api/v1/tasks${path}`, key: KEY }
  const { status, text } = await send(body === undefined ? asked : { ...asked, body })
  if (status === 200) return text
  throw new Error(`Expected 200, got ${status}: ${text}`)
}
