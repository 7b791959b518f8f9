import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, launch } from '../../support/processes.js'
import { Server } from '../../support/server.js'
import { MOCKOON_CLI, mockoonFile } from './mockoon.js'
import type { Poll } from './poller.js'

const PATIENCE = 60_000
const HEADERS = { authorization: 'Key local', 'x-fal-target-host': 'queue.fal.run' }
const INPUT = JSON.stringify({ prompt: 'a lighthouse at dawn' })

/** A running tool, with the poll that is measured. */
export interface Tool extends Poll {
  readonly name: string
  readonly pid: number
}

/**
 * Starts every tool with a task of fal that does not end. tasksim and aimock imitate fal. The others repeat the answer
 * of tasksim, with the id from the path.
 */
export async function startTools(folder: string): Promise<Tool[]> {
  const tasksim = await startTasksim(folder)
  const answer = await answerOf(tasksim)
  const stub = (name: string, command: string, ...args: string[]) =>
    startStub(name, tasksim.path, command, args)
  writeFileSync(join(folder, 'mockoon.json'), mockoonFile(tasksim.path, answer))
  return [
    tasksim,
    await startAimock(folder),
    await stub('Express stub', 'node', here('express-stub.mjs'), 'PORT', answer),
    await stub(
      'Mockoon CLI',
      'node',
      join(folder, MOCKOON_CLI),
      'start',
      '--data',
      join(folder, 'mockoon.json'),
      '--port',
      'PORT',
      '--disable-log-to-file',
    ),
  ]
}

async function startTasksim(folder: string): Promise<Tool> {
  const scenario = join(folder, 'endless.yaml')
  writeFileSync(scenario, 'defaults: { delay: 10d }\n')
  const { port, pid } = await Server.start([scenario])
  return { name: 'tasksim', pid, ...(await created(port, '/fal/queue/acme/image')) }
}

async function startAimock(folder: string): Promise<Tool> {
  const { port, pid } = await start('node', [here('aimock.mjs'), folder, 'PORT'])
  return { name: 'aimock', pid, ...(await created(port, '/fal/acme/image')) }
}

async function startStub(
  name: string,
  path: string,
  command: string,
  args: readonly string[],
): Promise<Tool> {
  const { port, pid } = await start(command, args)
  const tool = { name, pid, port, path, headers: HEADERS }
  await answerOf(tool)
  return tool
}

/** Creates a task, as soon as the server accepts it. @returns the poll of its status */
async function created(port: number, path: string): Promise<Poll> {
  const headers = { ...HEADERS, 'content-type': 'application/json' }
  const text = await answerTo(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: INPUT })
  const { request_id } = JSON.parse(text) as { request_id: string }
  return { port, path: `${path}/requests/${request_id}/status`, headers: HEADERS }
}

async function answerOf({ port, path, headers }: Poll): Promise<string> {
  const text = await answerTo(`http://127.0.0.1:${port}${path}`, { headers })
  const [, id = ''] = /\/requests\/([^/]+)/.exec(path) ?? []
  if (text.includes('IN_PROGRESS') && text.includes(id)) return text
  throw new Error(`Expected the task ${id} in progress, got: ${text}`)
}

/** Repeats a request until the server, which may still be starting, answers with a success. */
async function answerTo(url: string, init: RequestInit): Promise<string> {
  const until = performance.now() + PATIENCE
  for (;;) {
    const response = await fetch(url, init).catch(() => undefined)
    if (response?.ok) return response.text()
    if (performance.now() > until) throw new Error(`${url} gave ${response?.status ?? 'no answer'}.`)
    await wait(100)
  }
}

/** Starts a server. The argument `PORT` stands for a free port. */
async function start(command: string, args: readonly string[]): Promise<{ port: number; pid: number }> {
  const port = await freePort()
  const own = args.map((argument) => (argument === 'PORT' ? String(port) : argument))
  const child = launch(command, own, { stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'spawn')
  return { port, pid: child.pid ?? 0 }
}

function here(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
