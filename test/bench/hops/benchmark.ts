import { Agent } from 'node:http'
import type { Figure } from '../figure.js'
import { send } from '../request.js'
import { createBody, KEY } from '../traffic.js'
import { Worker } from '../worker.js'

const WARM_UPS = 50

/** The most files and functions that a request may pass. */
const MOST = { poll: { files: 50, functions: 120 }, create: { files: 80, functions: 260 } }

/** The functions that one request passes, each as `file function`. */
export type Hops = Readonly<Record<'poll' | 'create', readonly string[]>>

/** Counts the files and functions of `src` that a warm poll and a create request pass. */
export async function hops(): Promise<Figure[]> {
  const passed = await countHops()
  return (['poll', 'create'] as const).flatMap((name): Figure[] => [
    {
      name: `hops: files, ${name}`,
      value: filesIn(passed[name]),
      unit: 'files',
      target: { atMost: MOST[name].files },
    },
    {
      name: `hops: functions, ${name}`,
      value: passed[name].length,
      unit: 'functions',
      target: { atMost: MOST[name].functions },
    },
  ])
}

/** Sends each request often, and then once while the calls are counted. */
export async function countHops(): Promise<Hops> {
  const worker = new Worker(new URL('server.ts', import.meta.url))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const port = await worker.ask<number>('port')
    const create = (number: number) =>
      send({ agent, port, method: 'POST', path: '/api/v1/tasks', key: KEY, body: createBody(number) })
    const { id } = JSON.parse((await create(0)).text) as { id: string }
    const poll = () => send({ agent, port, method: 'GET', path: `/api/v1/tasks/${id}`, key: KEY })
    const during = async (request: () => Promise<unknown>) => {
      for (let count = 0; count < WARM_UPS; count++) await request()
      await worker.ask('called')
      await request()
      return worker.ask<readonly string[]>('called')
    }
    return { poll: await during(poll), create: await during(() => create(1)) }
  } finally {
    agent.destroy()
    await worker.end()
  }
}

function filesIn(passed: readonly string[]): number {
  return new Set(passed.map((each) => each.split(' ')[0])).size
}
