import { vi } from 'vitest'
import { isTerminal } from '../../../src/engine/tasks/task.js'
import { createSimulator, type ScenarioInput, type Simulator } from '../../../src/index.js'
import { type Answered, call } from '../../support/call.js'
import { liveOf } from '../../support/simulations.js'
import { Invariants, progress } from './invariants.js'
import { limitOf, poolsOf } from './pools.js'
import { isAccepted, type Reaction, unreliableReceiver } from './receiver.js'
import { KEYS } from './scenarios.js'

export const START = Date.parse('2026-01-01T00:00:00Z')
const HOOK = 'http://receiver.test/hook'
/** In fake milliseconds: enough for a receiver that answers, and short for one that does not. */
const PATIENCE = 20
const MOST_ATTEMPTS = 4
const TERMINAL = 2

/** A create request of a client. */
export interface Order {
  readonly model: string
  readonly input: { readonly prompt: string; readonly fate?: 'stuck' | 'failed' | 'canceled' }
  readonly hasWebhook: boolean
}

/** A simulator with a client, a receiver and its invariants. */
export class World {
  readonly sim: Simulator
  readonly invariants: Invariants
  readonly #receiver: ReturnType<typeof unreliableReceiver>
  #isCrowded = false
  #seenNow = START
  #resets = 0
  readonly #waits: Promise<void>[] = []

  constructor(scenario: ScenarioInput, reactions: readonly Reaction[], keepTasks: number) {
    this.#receiver = unreliableReceiver(reactions)
    const { transport } = this.#receiver
    const time = { clock: 'manual', start: START, patience: PATIENCE } as const
    this.sim = createSimulator({ scenario, transport, keepTasks, ...time })
    this.invariants = new Invariants(this.sim)
  }

  async create(key: string, { model, input, hasWebhook }: Order): Promise<void> {
    const kind = this.sim.tasks.factory.planner.kindOf(model, input)
    const { capacity } = this.sim.scenario
    const pools = poolsOf(capacity, { kind, model, owner: key })
    const answer = await this.#call(key, 'POST ', { model, input, ...(hasWebhook && { webhook_url: HOOK }) })
    if (answer === undefined) return
    const { status, body } = answer
    if (status === 200) return this.#observe(body, 0)
    const isFull = (pool: string) =>
      this.invariants.count(pool, 'queued') >= (limitOf(capacity, pool).queued ?? Infinity)
    // Other tasks may have left since the rejection, so the pool may have room again.
    const isRightlyRefused = this.#isCrowded ? pools.length > 0 : pools.some(isFull)
    this.invariants.expect(status === 429 && isRightlyRefused, `a create was answered with ${status}`)
  }

  /**
   * Runs several actions concurrently. Each starts a number of turns after the previous one, even if that one is in
   * progress.
   */
  async crowd(members: readonly { turns: number; run: (world: World) => Promise<void> }[]): Promise<void> {
    this.#isCrowded = true
    const all: Promise<void>[] = []
    for (const { turns, run } of members) {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      all.push(run(this))
    }
    await Promise.all(all)
    this.#isCrowded = false
  }

  /** Polls a task, which may belong to another key. */
  async poll(key: string, place: number): Promise<void> {
    const known = this.#pick(place)
    if (known === undefined) return
    const { owner, status: before, id } = known
    const answer = await this.#call(key, `GET /${id}`)
    if (answer === undefined) return
    const { status, body } = answer
    if (owner !== key) this.invariants.expect(status === 404, `${key} sees a task of ${owner}`)
    else if (status === 404) this.#expectForgotten(id)
    else this.#observe(body, progress(before))
  }

  /** Polls a forgotten task. */
  async pollForgotten(place: number): Promise<void> {
    const { forgotten } = this.invariants
    const id = [...forgotten][place % (forgotten.size || 1)]
    if (id === undefined) return
    for (const key of KEYS) {
      const answer = await this.#call(key, `GET /${id}`)
      this.invariants.expect(
        (answer?.status ?? 404) === 404,
        `${id} is forgotten, and answers ${answer?.status}`,
      )
    }
  }

  async cancel(place: number): Promise<void> {
    const known = this.#pick(place)
    if (known === undefined) return
    const { owner, status: before, id } = known
    const answer = await this.#call(owner, `POST /${id}/cancel`)
    if (answer === undefined) return
    const { status, body } = answer
    if (status === 200) this.#observe(body, TERMINAL)
    else if (status === 404) this.#expectForgotten(id)
    else this.invariants.expect(status === 409, `a cancel of a task that was ${before} got ${status}`)
  }

  async delete(place: number): Promise<void> {
    const known = this.#pick(place)
    if (known === undefined) return
    const resets = this.#resets
    const deleted = await this.sim.tasks.delete(known.id)
    if (resets !== this.#resets) return
    this.#expectForgotten(known.id)
    this.invariants.expect(
      deleted === undefined || isTerminal(deleted.status),
      `${known.id} is deleted alive`,
    )
  }

  /** Starts to wait for the end of a task, while other actions continue. */
  wait(place: number, milliseconds: number): void {
    const known = this.#pick(place)
    // A wait also polls. A poll that ends a task while another action runs would confuse that action.
    if (known === undefined || 'polls' in known.plan.end) return
    const resets = this.#resets
    const latest = this.sim.clock.now() + milliseconds
    const wait = liveOf(this.sim)
      .waits.untilEnd(known.id, milliseconds)
      .then((task) => {
        if (resets !== this.#resets || task === undefined) return
        const isEnded = progress(task.status) === TERMINAL
        this.invariants.expect(
          isEnded || this.sim.clock.mode === 'manual' || this.sim.clock.now() >= latest,
          `a wait for ${known.id} ended too early`,
        )
      })
    this.#waits.push(wait)
  }

  /** Reads all pages of the list of a key, while nothing else is in progress. */
  async list(key: string, limit: number): Promise<void> {
    const listed: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const cursor: string = after === '' ? '' : `&after=${after}`
      const { data, next_cursor } = (await this.#call(key, `GET ?limit=${limit}${cursor}`))?.body ?? {}
      listed.push(...data.map((task: { id: string; status: string }) => `${task.id} ${task.status}`))
      after = next_cursor
    }
    const own = this.invariants.ofOwner(key).map(({ id, status }) => `${id} ${status}`)
    this.invariants.expect(String(listed) === String(own), `${key} lists ${listed}, and owns ${own}`)
  }

  async reset(): Promise<void> {
    const reset = this.sim.reset()
    this.#resets += 1
    this.#seenNow = START
    this.invariants.forget()
    this.#receiver.topics.clear()
    await reset
  }

  /** Advances the time of the machine, and with it a running simulator clock. */
  async pass(milliseconds: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(milliseconds)
  }

  /** Throws if a violation was recorded. */
  async check(): Promise<void> {
    await this.sim.time.schedule.catchUp()
    this.invariants.checkNoNeedlessWait()
    this.invariants.checkRetention()
    const now = this.sim.clock.now()
    this.invariants.expect(now >= this.#seenNow, `the clock went back to ${now}`)
    this.#seenNow = now
    if (this.invariants.violations.length > 0) throw new Error(this.invariants.violations.join('\n'))
  }

  /** Lets everything end, and checks the webhooks. */
  async finish(): Promise<void> {
    this.sim.clock.freeze()
    await driven(this.sim.clock.runUntilIdle())
    await driven(Promise.all(this.#waits))
    for (const key of KEYS) await this.list(key, 100)
    const kept = [...this.invariants.tracked.values()].map(({ task }) => task)
    for (const task of [...kept, ...this.invariants.deleted]) {
      const topic = `task.${task.status} ${task.id}`
      const isExpected = task.webhookUrl !== undefined && progress(task.status) === TERMINAL
      this.invariants.expect(this.#receiver.topics.has(topic) === isExpected, `no, or an unwanted, ${topic}`)
    }
    for (const [topic, { attempts, accepted, last, bodies }] of this.#receiver.topics) {
      const isOver = isAccepted(last) || last === 410 || attempts === MOST_ATTEMPTS
      this.invariants.expect(isOver && attempts <= MOST_ATTEMPTS, `${topic} ended after ${attempts} attempts`)
      this.invariants.expect(
        accepted === (isAccepted(last) ? 1 : 0),
        `${topic} was accepted ${accepted} times`,
      )
      this.invariants.expect(bodies.size === 1, `${topic} came with different bodies`)
      const [, id = ''] = topic.split(' ')
      const { tracked, forgotten } = this.invariants
      this.invariants.expect(tracked.has(id) || forgotten.has(id), `${topic} is of no task`)
    }
    await this.check()
  }

  /** Compares a task in an answer with the recorded one. */
  #observe(body: Record<string, string | undefined>, before: number): void {
    const { id = '', status = '', created_at: created, completed_at: completed, cost_usd: cost } = body
    const isEnded = progress(status) === TERMINAL
    this.invariants.expect(progress(status) >= before, `${id} went back to ${status}`)
    this.invariants.expect((cost !== undefined) === isEnded, `${id} is ${status} and costs ${cost}`)
    this.invariants.expect(
      (completed !== undefined) === isEnded,
      `${id} is ${status}, completed ${completed}`,
    )
    this.invariants.expect(completed === undefined || String(created) <= completed, `${id} ended too early`)
    this.invariants.expect(status === 'succeeded' || Number(cost ?? 0) === 0, `${id} ${status} costs ${cost}`)
  }

  #expectForgotten(id: string): void {
    this.invariants.expect(this.invariants.forgotten.has(id), `${id} is not found, and was not forgotten`)
  }

  #pick(place: number) {
    const tasks = [...this.invariants.tracked.values()]
    return tasks[place % (tasks.length || 1)]?.task
  }

  /** @returns undefined after a reset in between, because the answer may be about a deleted task */
  async #call(key: string, request: string, body?: object): Promise<Answered | undefined> {
    const resets = this.#resets
    const answer = await driven(call(this.sim, key, request, body))
    return resets === this.#resets ? answer : undefined
  }
}

/** Waits for work that may depend on timers. Advances the fake timers a millisecond at a time. */
export async function driven<Value>(work: Promise<Value>): Promise<Value> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  over.catch(() => {})
  for (;;) {
    await Promise.race([over.catch(() => {}), new Promise((resolve) => setImmediate(resolve))])
    if (isOver) return over
    await vi.advanceTimersByTimeAsync(1)
  }
}
