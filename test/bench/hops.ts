import { Agent } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figure.js'
import { send } from './request.js'
import { createBody, KEY } from './traffic.js'
import { Worker } from './worker.js'

const WARM_UPS = 50

/** The most files and functions that a request may pass. */
const MOST = { poll: { files: 50, functions: 120 }, create: { files: 80, functions: 260 } }

/** The functions of `src` that a request passes, by their files. */
type Passed = ReadonlyMap<string, readonly string[]>

/**
 * Counts the files and functions of `src` that a warm poll and a create request pass, on the real server from source.
 * `npx tsx test/bench/hops.ts` lists them.
 */
export async function hops(): Promise<Figure[]> {
  const passed = await countHops()
  return (['poll', 'create'] as const).flatMap((name): Figure[] => {
    const { files, functions } = MOST[name]
    return [
      { name: `hops: files, ${name}`, value: passed[name].size, unit: 'files', target: { atMost: files } },
      {
        name: `hops: functions, ${name}`,
        value: [...passed[name].values()].flat().length,
        unit: 'functions',
        target: { atMost: functions },
      },
    ]
  })
}

/** Sends each request often, and then once while the calls are counted. */
async function countHops(): Promise<Readonly<Record<'poll' | 'create', Passed>>> {
  const worker = new Worker(new URL('hops-server.ts', import.meta.url))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const port = await worker.ask<number>('port')
    const create = (number: number) =>
      send({ agent, port, method: 'POST', path: '/api/v1/tasks', key: KEY, body: createBody(number) })
    const { id } = JSON.parse((await create(0)).text) as { id: string }
    const poll = () => send({ agent, port, method: 'GET', path: `/api/v1/tasks/${id}`, key: KEY })
    const during = async (request: () => Promise<unknown>): Promise<Passed> => {
      for (let count = 0; count < WARM_UPS; count++) await request()
      await worker.ask('called')
      await request()
      return new Map(await worker.ask<[file: string, functions: string[]][]>('called'))
    }
    return { poll: await during(poll), create: await during(() => create(1)) }
  } finally {
    agent.destroy()
    await worker.end()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, passed] of Object.entries(await countHops())) {
    const count = [...passed.values()].flat().length
    process.stdout.write(`${name}: ${passed.size} files, ${count} functions\n`)
    for (const [file, functions] of passed) process.stdout.write(`  ${file}: ${functions.join(', ')}\n`)
  }
