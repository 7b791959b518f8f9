import { GOOD_HABITS, type Habits } from './habits.js'

/** Sends a request. Rejects, or returns a response of the type `error`, if there is no answer. */
type Send = (path: string, init?: RequestInit) => Promise<Response>

/** The environment of a client. */
export interface Surroundings {
  readonly send: Send
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly now: () => number
}

export interface Order {
  readonly model: string
  readonly input: object
  readonly webhook_url?: string
}

/** The fields of a task that a client reads. */
export interface ShownTask {
  readonly id: string
  readonly model: string
  readonly status: string
  readonly input?: object
  readonly output?: Readonly<Record<string, unknown>>
  readonly created_at: string
}

interface Answer {
  /** 0 without a readable answer. */
  readonly status: number
  readonly retryAfter: number
  // biome-ignore lint/suspicious/noExplicitAny: the API may answer anything
  readonly body: any
}

/** A request that was permanently rejected. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`The API answered with ${status}.`)
  }
}

const NOTHING: Answer = { status: 0, retryAfter: 0, body: undefined }

/** A client of production quality. Bad habits change its behavior. */
export class RobustClient {
  readonly #around: Surroundings
  readonly #habits: Habits
  readonly #known = new Set<string>()

  constructor(around: Surroundings, habits: Partial<Habits> = {}) {
    this.#around = around
    this.#habits = { ...GOOD_HABITS, ...habits }
  }

  /** Creates a task, waits for it, and downloads its files. */
  async generate(order: Order): Promise<ShownTask> {
    const task = await this.wait(await this.create(order))
    await this.download(task)
    return task
  }

  /** Creates a task. If the answer is lost, it searches the list before it creates another one. */
  async create(order: Order): Promise<ShownTask> {
    const { path, extraFields, looksBeforeRetry } = this.#habits
    for (let attempt = 1; ; attempt++) {
      const since = this.#around.now()
      const answer = await this.#ask('POST', path, { ...order, ...extraFields })
      const task = answer.body ?? (mayBeLost(answer) && looksBeforeRetry && (await this.#find(order, since)))
      if (task) {
        this.#known.add(task.id)
        return task
      }
      await this.#recover(answer, attempt)
    }
  }

  /** Polls a task until it has ended, and cancels it after the deadline. */
  async wait(task: ShownTask): Promise<ShownTask> {
    const { finalStates, pollInterval, deadline, pollTries, path } = this.#habits
    const end = this.#around.now() + deadline
    let latest = task
    for (let failures = 0; !finalStates.includes(latest.status); ) {
      if (this.#around.now() > end) return this.cancel(task)
      if (failures === 0) await this.#around.sleep(pollInterval(task.model))
      const answer = await this.#ask('GET', `${path}/${task.id}`)
      if (answer.body !== undefined) {
        latest = answer.body
        failures = 0
      } else {
        failures += 1
        if (failures >= pollTries) throw new Refused(answer.status)
        await this.#recover(answer, failures)
      }
    }
    return latest
  }

  async cancel({ id }: ShownTask): Promise<ShownTask> {
    return this.#insist('POST', `${this.#habits.path}/${id}/cancel`)
  }

  /** Downloads each file of a task. If a URL is rejected, it tries once more with a fresh one. */
  async download(task: ShownTask): Promise<void> {
    for (const [index, url] of urlsIn(task).entries()) {
      for (let time = 0; time < this.#habits.downloads; time++) {
        const status = await this.#save(url)
        if (status !== 403 || !this.#habits.renewsUrls) continue
        const fresh = await this.#insist('GET', `${this.#habits.path}/${task.id}`)
        await this.#save(urlsIn(fresh)[index] ?? url)
      }
    }
  }

  /** Reads all tasks, page by page. */
  async list(query = ''): Promise<ShownTask[]> {
    const tasks: ShownTask[] = []
    for (let after = ''; ; ) {
      const page = await this.#insist('GET', `${this.#habits.path}?${query}${after}`)
      tasks.push(...page.data)
      if (!page.has_more || !this.#habits.followsCursor) return tasks
      after = `&after=${page.next_cursor}`
    }
  }

  /** Finds the task of a create request whose answer was lost. */
  async #find({ model, input }: Order, since: number): Promise<ShownTask | undefined> {
    const wanted = JSON.stringify([model, input])
    return (await this.list()).find(
      (task) =>
        JSON.stringify([task.model, task.input]) === wanted &&
        Date.parse(task.created_at) >= since &&
        !this.#known.has(task.id),
    )
  }

  // biome-ignore lint/suspicious/noExplicitAny: the API may answer anything
  async #insist(method: string, path: string): Promise<any> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(method, path)
      if (answer.body !== undefined) return answer.body
      await this.#recover(answer, attempt)
    }
  }

  /** Waits before the next try, if there is one. */
  async #recover({ status, retryAfter }: Answer, attempt: number): Promise<void> {
    const { isRetried, honorsRetryAfter, tries } = this.#habits
    if (!isRetried(status) || attempt >= tries) throw new Refused(status)
    const backoff = Math.min(30_000, 1_000 * 2 ** (attempt - 1))
    await this.#around.sleep(honorsRetryAfter ? Math.max(retryAfter, backoff) : 500)
  }

  async #ask(method: string, path: string, body?: object): Promise<Answer> {
    const headers = {
      ...(this.#habits.sendsKey(method, path) && { authorization: `Bearer ${this.#habits.key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const timeout = this.#around.sleep(this.#habits.timeout).then(() => NOTHING)
    return Promise.race([this.#read(this.#around.send(path, init)), timeout])
  }

  async #read(sending: Promise<Response>): Promise<Answer> {
    try {
      const response = await sending
      if (response.type === 'error') return NOTHING
      const retryAfter = this.#waitToldBy(response)
      if (!response.ok) return { status: response.status, retryAfter, body: undefined }
      return { status: response.status, retryAfter, body: await response.json() }
    } catch {
      return NOTHING
    }
  }

  #waitToldBy({ headers }: Response): number {
    const told = headers.get('retry-after') ?? '0'
    return Number(told) * 1_000 || Math.max(0, Date.parse(told) - this.#around.now()) || 0
  }

  /** Downloads a file, and retries a truncated download. @returns the status of the last answer */
  async #save(url: string): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const { status, retryAfter } = await this.#fetch(url).catch(() => NOTHING)
      if (!this.#habits.isRetried(status) || attempt >= this.#habits.tries) return status
      await this.#around.sleep(this.#habits.honorsRetryAfter ? Math.max(retryAfter, 1_000 * attempt) : 1_000)
    }
  }

  async #fetch(url: string): Promise<Pick<Answer, 'status' | 'retryAfter'>> {
    const { pathname, search } = new URL(url)
    const { sendsKeyToFiles, key, keepsQuery } = this.#habits
    const headers = sendsKeyToFiles ? { authorization: `Bearer ${key}` } : {}
    const timeout = this.#around.sleep(this.#habits.timeout).then(() => Response.error())
    const sending = this.#around.send(pathname + (keepsQuery ? search : ''), { headers })
    const response = await Promise.race([sending, timeout])
    await response.arrayBuffer()
    return { status: response.status, retryAfter: this.#waitToldBy(response) }
  }
}

function urlsIn({ output = {} }: ShownTask): string[] {
  return JSON.stringify(output).match(/https?:\/\/[^"\\]+\/files\/[^"\\]+/g) ?? []
}

/** Returns whether the server may have run the operation despite the error. */
function mayBeLost({ status }: Answer): boolean {
  return status === 0 || (status >= 500 && status !== 503)
}
