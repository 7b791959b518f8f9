/** A client of the tasks API with time limits and retries. */
import { setTimeout as pause } from 'node:timers/promises'

export const URL = process.env['TASKSIM_URL']
const KEY = process.env['TASKSIM_API_KEY']
/** The simulator's clock runs this many times faster than the real one. */
const SPEED = 20
const TRIES = 8
const TIMEOUT = 60_000
const DEADLINE = 600_000

export class Failure extends Error {}

const sleep = (milliseconds) => pause(milliseconds / SPEED)

/** @returns the status, 0 without an answer, and the body of a success */
async function once(method, url, body, headers = { authorization: `Bearer ${KEY}` }) {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT / SPEED),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const wait = Number(response.headers.get('retry-after') ?? 0) * 1_000
    return { status: response.status, wait, bytes: response.ok ? bytes : undefined }
  } catch {
    return { status: 0, wait: 0 }
  }
}

async function recover({ status, wait }, attempt) {
  const passes = status === 0 || status === 408 || status === 429 || status >= 500 || status < 300
  if (!passes) throw new Failure(`The service rejects the request with ${status}.`)
  if (attempt >= TRIES) throw new Failure(`No usable answer after ${attempt} attempts.`)
  await sleep(Math.max(wait, Math.min(30_000, 1_000 * 2 ** (attempt - 1))))
}

function read({ bytes }) {
  try {
    return JSON.parse(String(bytes))
  } catch {
    return undefined
  }
}

export async function insist(method, url) {
  for (let attempt = 1; ; attempt++) {
    const answer = await once(method, url)
    const value = read(answer)
    if (value !== undefined) return value
    await recover(answer, attempt)
  }
}

/** Creates a task. If the answer is lost, looks for the task before it creates another one. */
export async function create(order, known = new Set()) {
  for (let attempt = 1; ; attempt++) {
    const answer = await once('POST', `${URL}/tasks`, order)
    const { status } = answer
    const isLost = status === 0 || status === 500 || status === 502 || status === 504 || status < 300
    const task = read(answer) ?? (isLost ? await find(order, known) : undefined)
    if (task?.id !== undefined) {
      known.add(task.id)
      return task.id
    }
    await recover(answer, attempt)
  }
}

async function find({ model, input }, known) {
  const { data = [] } = await insist('GET', `${URL}/tasks?limit=50`)
  const isSame = (task) => task.model === model && JSON.stringify(task.input) === JSON.stringify(input)
  return data.find((task) => isSame(task) && !known.has(task.id))
}

export async function wait(id, poll = () => insist('GET', `${URL}/tasks/${id}`)) {
  const end = Date.now() + DEADLINE / SPEED
  for (;;) {
    await sleep(3_000)
    const task = await poll()
    if (['succeeded', 'failed', 'canceled'].includes(task?.status)) return task
    if (Date.now() > end) throw new Failure('The task has not ended in time.')
  }
}

export async function collect({ status, output }) {
  if (status !== 'succeeded') throw new Failure(`The task is ${status}.`)
  const images = output?.images ?? []
  if (images.length === 0) throw new Failure('The task has no output.')
  for (const url of images) {
    for (let attempt = 1; ; attempt++) {
      const answer = await once('GET', url, undefined, {})
      if (answer.bytes !== undefined) break
      await recover(answer, attempt)
    }
  }
}

export const orderOf = (prompt) => ({ model: 'acme/image-1', input: { prompt } })

/** Runs a program: it prints the message of a failure, and exits with 1. */
export async function main(run) {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
