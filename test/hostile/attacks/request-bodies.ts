import { setTimeout as wait } from 'node:timers/promises'
import { TasksimServer } from '../../bench/tasksim-server.js'
import { KEY } from '../../bench/traffic.js'
import { Worker } from '../../bench/worker.js'
import { type Attack, expectThat } from '../attack.js'
import { type HostileBody, hostileBodies } from './hostile-bodies.js'

/** The longest acceptable wait of another request, as a multiple of the time to parse and write one body as JSON. */
const LONGEST_STALL = 3
/** A stall that the server causes occurs again, unlike one of a busy machine. */
const TRIES = 6
const PAUSE = 15
/** The time to measure stalls of the machine itself, in milliseconds. */
const QUIET = 1_000

/** Bodies that are slow to read, to store and to answer. */
export const requestBodies: Attack = {
  title: 'no request body stalls other requests',
  async run(figure) {
    const server = await TasksimServer.start()
    const probe = new Worker(new URL('../health-probe.ts', import.meta.url), [String(server.port)])
    try {
      await probe.ask('longest')
      await wait(QUIET)
      const noise = await probe.ask<number>('longest')
      figure(`${padded(noise)} ms  while nothing is sent`)
      const json = slowestJson()
      figure(`${padded(json)} ms  to parse and write the slowest body as JSON, here`)
      const limit = LONGEST_STALL * json + noise
      let worst = 0
      for (const body of hostileBodies()) {
        const stall = await shortestOf(TRIES, limit, () => stallOf(body, server.port, probe))
        figure(`${padded(stall)} ms  ${body.name}`)
        worst = Math.max(worst, stall)
      }
      figure(`${padded(worst)} ms  longest stall of all`)
      expectThat(
        worst < limit,
        `a request waited ${Math.ceil(worst)} ms for another one, limit ${Math.ceil(limit)} ms`,
      )
    } finally {
      await Promise.all([server.end(), probe.end()])
    }
  },
}

/** @returns how long this machine takes to parse and write the slowest body that the server accepts, in milliseconds */
function slowestJson(): number {
  let slowest = 0
  for (const body of hostileBodies()) if (body.status === 200) slowest = Math.max(slowest, timeOfJson(body))
  return slowest
}

/** @returns the least time of several tries in milliseconds */
function timeOfJson({ body }: HostileBody): number {
  const times = Array.from({ length: 3 }, () => {
    const begin = performance.now()
    JSON.stringify(JSON.parse(String(body)))
    return performance.now() - begin
  })
  return Math.min(...times)
}

/** Tries again while a stall is too long. */
async function shortestOf(tries: number, limit: number, measure: () => Promise<number>): Promise<number> {
  const stall = await measure()
  if (stall < limit || tries === 1) return stall
  return Math.min(stall, await shortestOf(tries - 1, limit, measure))
}

function padded(milliseconds: number): string {
  return String(Math.ceil(milliseconds)).padStart(4)
}

/** @returns the longest wait of a health request while a body is posted and its task is polled and listed */
async function stallOf({ name, body, status }: HostileBody, port: number, probe: Worker): Promise<number> {
  const url = `http://127.0.0.1:${port}/api/v1/tasks`
  const authorization = `Bearer ${KEY}`
  await probe.ask('longest')
  const headers = { authorization, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  const text = await answer.text()
  expectThat(
    answer.status === status,
    `${name}: expected ${status}, got ${answer.status} ${text.slice(0, 200)}`,
  )
  const id = /"id":"(task_\w+)"/.exec(text)?.[1]
  for (const path of id === undefined ? [] : [`/${id}`, '?limit=3'])
    await (await fetch(url + path, { headers: { authorization } })).arrayBuffer()
  await wait(PAUSE)
  return probe.ask<number>('longest')
}
