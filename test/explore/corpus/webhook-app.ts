import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { collect, create, type Service, wait } from './flow.js'
import { type Answer, Failure, type Http } from './http.js'

const SECRET = 'whsec_local_signing_secret'

/** An app that gets the results of its tasks from webhooks. */
export class WebhookApp {
  readonly #http: Http
  readonly #silence: number
  readonly #ended = new Map<string, Answer['json']>()
  readonly #known = new Set<string>()

  /** @param silence after how many milliseconds without a webhook it asks the service */
  constructor(http: Http, silence: number) {
    this.#http = http
    this.#silence = silence
  }

  /** The route handler: verifies the raw body, and processes each task once. */
  readonly handle = async (request: Request): Promise<Response> => {
    const { mistakes } = this.#http
    const raw = Buffer.from(await request.arrayBuffer())
    if (!this.#isGenuine(raw, request.headers.get('x-service-signature')))
      return new Response(null, { status: 401 })
    if (mistakes.has('fails on a task that it does not know') && this.#known.size === 0)
      void Promise.reject(new Error('There is no such task.'))
    let task: Answer['json']
    try {
      task = JSON.parse(raw.toString()).task
    } catch {
      return new Response(null, { status: 400 })
    }
    if (mistakes.has('fails on a duplicate') && this.#ended.has(task.id))
      void Promise.reject(new Error('The task is there already.'))
    if (mistakes.has('drops unknown tasks') && !this.#known.has(task.id))
      return new Response(null, { status: 204 })
    this.#ended.set(task.id, task)
    return new Response(null, { status: 204 })
  }

  #isGenuine(raw: Buffer, signature: string | null): boolean {
    const { mistakes } = this.#http
    if (mistakes.has('verifies nothing')) return true
    if (mistakes.has('wants a signature of any value')) return Boolean(signature)
    if (mistakes.has('accepts webhooks without a signature') && signature === null) return true
    if (mistakes.has('accepts an empty signature') && signature === '') return true
    const signed = mistakes.has('verifies its own serialization') ? compact(raw.toString()) : raw
    const expected = createHmac('sha256', SECRET).update(signed).digest()
    if (mistakes.has('compares the length'))
      return Buffer.from(signature ?? '', 'hex').length === expected.length
    if (mistakes.has('verifies the id only')) return raw.includes('task_') && signature?.length === 64
    const given = Buffer.from(signature ?? '', 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  /** Creates a task, waits for its webhook, and fetches its files. @throws Failure */
  readonly generate = async (service: Service): Promise<void> => {
    const { mistakes } = this.#http
    const id = await create(service, this.#http, this.#known)
    const end = Date.now() + this.#silence
    const isOver = () => Date.now() > end && !mistakes.has('waits for the webhook without end')
    while (!this.#ended.has(id) && !isOver()) await sleep(5_000)
    const task = this.#ended.get(id)
    if (task === undefined && mistakes.has('asks nobody')) throw new Failure('No webhook came.')
    if (task === undefined && mistakes.has('silence is success')) return
    const state = task === undefined ? 'running' : service.stateOf(task)
    if (state === 'failed' || state === 'canceled') {
      if (mistakes.has('failed is done')) return
      throw new Failure(`The task has ${state}.`)
    }
    const ended = state === 'done' && service.outputOf(task, id) ? task : await wait(service, this.#http, id)
    await collect(service, this.#http, id, ended)
  }
}

/** JSON without white space; the text itself if it is not JSON. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
