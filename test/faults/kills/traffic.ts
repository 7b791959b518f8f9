import { Agent, request } from 'node:http'

/** What a client knows about a task. */
export interface KnownTask {
  readonly id: string
  readonly key: string
  /** The final state that the first answer about its end has shown. */
  seen: string | undefined
}

/** A request. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly order?: object
}

const KEYS = ['sk_one', 'sk_two', 'sk_three', 'sk_four']
const INTERVAL = 10
/** 200 creates in a second, and 800 polls, of which some are cancellations. */
const CREATES = 2
const POLLS = 8
/** The share of cancellations: about one task of ten. No plan repeats this end if the server forgets it. */
const CANCELED = 0.025
/** A server that is down or slow must not pile up requests in this process. */
const MOST_OPEN = 500
const FINAL = ['succeeded', 'failed', 'canceled']

/** Sends 1,000 requests a second to a server, whether it runs or not, and remembers what it has acknowledged. */
export class Traffic {
  readonly tasks: KnownTask[] = []
  /** What contradicts an earlier response. */
  readonly contradictions: string[] = []
  answered = 0
  /** Responses with 503. */
  refused = 0
  /** Requests whose connection broke off. */
  lost = 0
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 })
  readonly #open = new Set<Promise<void>>()
  #timer: ReturnType<typeof setInterval> | undefined
  #count = 0

  constructor(port: number) {
    this.#port = port
  }

  start(): void {
    this.#timer = setInterval(() => {
      for (let each = 0; each < CREATES; each++) this.#track(() => this.create())
      for (let each = 0; each < POLLS; each++) this.#track(() => this.#askAny())
    }, INTERVAL)
  }

  /** Sends nothing more, and waits for the open requests. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.allSettled([...this.#open])
    this.#agent.destroy()
  }

  /** Polls a task. @returns the status of the response, and that of the task */
  poll(task: KnownTask): Promise<{ code: number; status: string | undefined }> {
    return this.#ask(task, 'GET', `/api/v1/tasks/${task.id}`)
  }

  /** Cancels a task. The server refuses that if it has ended. */
  async cancel(task: KnownTask): Promise<void> {
    await this.#ask(task, 'POST', `/api/v1/tasks/${task.id}/cancel`)
  }

  /** Creates a task, and remembers it if the server acknowledges it. */
  async create(): Promise<void> {
    this.#count += 1
    const key = KEYS[this.#count % KEYS.length] ?? ''
    const order = { model: 'acme/image-1', input: { prompt: `picture ${this.#count % 500}` } }
    const { code, body } = await this.#send({ method: 'POST', path: '/api/v1/tasks', key, order })
    if (code === 200) this.tasks.push({ id: String(body['id']), key, seen: undefined })
  }

  async #askAny(): Promise<void> {
    const recent = Math.max(0, this.tasks.length - 200)
    const task = this.tasks[recent + Math.floor(Math.random() * (this.tasks.length - recent))]
    if (task === undefined) return
    if (Math.random() < CANCELED) await this.cancel(task)
    else await this.poll(task)
  }

  /**
   * Sends a request that is answered with a task, and compares the answer with those before. Requests on several connections
   * have no order: an answer that arrives after the end of its task may have left before it. A request that was sent when the
   * end was known must show it.
   */
  async #ask(task: KnownTask, method: string, path: string) {
    let known: string | undefined
    const { code, body } = await this.#send({ method, path, key: task.key }, () => {
      known = task.seen
    })
    const status = code === 200 ? String(body['status']) : undefined
    if (code === 404) this.contradictions.push(`${task.id} was acknowledged, and is unknown now`)
    const isFinal = status !== undefined && FINAL.includes(status)
    const expected = isFinal ? task.seen : known
    if (status !== undefined && expected !== undefined && status !== expected)
      this.contradictions.push(`${task.id} was ${expected}, and is ${status} now`)
    if (isFinal) task.seen ??= status
    return { code, status }
  }

  #track(send: () => Promise<void>): void {
    if (this.#open.size > MOST_OPEN) return
    const open = send()
      .catch(() => {
        this.lost += 1
      })
      .finally(() => this.#open.delete(open))
    this.#open.add(open)
  }

  /** @param onSend called when the request has its connection, before anything of it is sent */
  async #send({ method, path, key, order }: Sent, onSend = () => {}) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const text = await new Promise<{ code: number; text: string }>((resolve, reject) => {
      const sent = request(
        { port: this.#port, host: '127.0.0.1', method, path, headers, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          )
          response.on('error', reject)
        },
      )
      sent.on('socket', onSend)
      sent.on('error', reject)
      sent.end(order === undefined ? undefined : JSON.stringify(order))
    })
    this.answered += 1
    if (text.code === 503) this.refused += 1
    return { code: text.code, body: JSON.parse(text.text) as Record<string, unknown> }
  }
}
