import { Agent, request } from 'node:http'

/** What a client knows about a task. */
export interface KnownTask {
  readonly id: string
  readonly key: string
  /** The final state that a poll has shown. */
  seen: string | undefined
}

const KEYS = ['sk_one', 'sk_two', 'sk_three', 'sk_four']
const INTERVAL = 10
/** 200 creates and 800 polls in a second. */
const CREATES = 2
const POLLS = 8
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
      for (let each = 0; each < POLLS; each++) this.#track(() => this.#pollAny())
    }, INTERVAL)
  }

  /** Sends nothing more, and waits for the open requests. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.allSettled([...this.#open])
    this.#agent.destroy()
  }

  /** Polls a task. @returns the status of the response, and that of the task */
  async poll(task: KnownTask): Promise<{ code: number; status: string | undefined }> {
    const { code, body } = await this.#send('GET', `/api/v1/tasks/${task.id}`, task.key)
    const status = code === 200 ? String(body['status']) : undefined
    if (code === 404) this.contradictions.push(`${task.id} was acknowledged, and is unknown now`)
    if (task.seen !== undefined && status !== undefined && status !== task.seen)
      this.contradictions.push(`${task.id} was ${task.seen}, and is ${status} now`)
    if (status !== undefined && FINAL.includes(status)) task.seen = status
    return { code, status }
  }

  /** Creates a task, and remembers it if the server acknowledges it. */
  async create(): Promise<void> {
    this.#count += 1
    const key = KEYS[this.#count % KEYS.length] ?? ''
    const order = { model: 'acme/image-1', input: { prompt: `picture ${this.#count % 500}` } }
    const { code, body } = await this.#send('POST', '/api/v1/tasks', key, order)
    if (code === 200) this.tasks.push({ id: String(body['id']), key, seen: undefined })
  }

  async #pollAny(): Promise<void> {
    const recent = Math.max(0, this.tasks.length - 200)
    const task = this.tasks[recent + Math.floor(Math.random() * (this.tasks.length - recent))]
    if (task !== undefined) await this.poll(task)
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

  async #send(method: string, path: string, key: string, body?: object) {
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
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
    this.answered += 1
    if (text.code === 503) this.refused += 1
    return { code: text.code, body: JSON.parse(text.text) as Record<string, unknown> }
  }
}
