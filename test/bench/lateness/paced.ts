import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createBody, KEY, POLLS_PER_CREATE } from '../traffic.js'

const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
const TICK = 5

/**
 * Creates tasks and polls them, so many requests a second whatever the answers take, over 32 connections.
 * @returns how many were answered
 */
export async function pace(port: number, rate: number, milliseconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const creates = rate / (1 + POLLS_PER_CREATE) / 1_000
  const lives: Promise<void>[] = []
  const begin = performance.now()
  for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - begin) {
    while (lives.length < elapsed * creates) lives.push(live(agent, port, lives.length))
    await wait(TICK)
  }
  await Promise.all(lives)
  agent.destroy()
  return lives.length * (1 + POLLS_PER_CREATE)
}

async function live(agent: Agent, port: number, number: number): Promise<void> {
  const { id } = JSON.parse(await send(agent, port, 'POST', '', createBody(number)))
  for (let poll = 0; poll < POLLS_PER_CREATE; poll++) await send(agent, port, 'GET', `/${id}`)
}

function send(agent: Agent, port: number, method: string, path: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path: `/api/v1/tasks${path}`, method, headers: HEADERS, agent }
    const outgoing = request(target, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`Expected 200, got ${response.statusCode}: ${text}`))
      })
    })
    outgoing.on('error', reject).end(body)
  })
}
