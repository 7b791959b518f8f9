import { MAIN_DIALECT } from '../../dialects/built-in.js'
import type { Dialects } from '../../dialects/dialects.js'
import { yieldToEventLoop } from '../../engine/awaitable.js'
import type { Decision } from '../../engine/requests/answer-cause.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Transport } from '../../engine/webhooks/attempts/transport.js'
import type { ApiRequest, Reply } from '../../exchange/exchange.js'
import { createPipeline } from '../../http/pipeline.js'
import { Routes, UPLOAD_ROUTE } from '../../http/routes.js'
import { parseScenario } from '../../scenario/read-text.js'
import { shippedScenario } from '../../scenario/shipped.js'
import { Simulator } from '../../simulator/simulator.js'
import { deliveryShape } from '../deliveries.js'
import { decisionOf } from '../journal/entry-shape.js'
import { ownRequest } from '../own-request.js'
import type { DeliveryShape, TaskShape } from '../shapes.js'
import { taskShape } from '../tasks/task-shape.js'
import { ID, ORIGIN, type PlannedRequest, type Step, type TestPlan, type TestScenario } from './test-plan.js'

/** What a request got. */
export interface Sent {
  readonly status: number
  /** Whether the client got the whole response. */
  readonly delivered: boolean
  /** Whether the client waits forever. */
  readonly hangs: boolean
  readonly decision: Decision | undefined
  readonly body: string | undefined
}

/** What happened when a plan was carried out. */
export interface DryRun {
  /** What the request of each step got, or the last of them; undefined for a step without one. */
  readonly sent: readonly (Sent | undefined)[]
  /** The ids of all tasks that were created. */
  readonly ids: readonly string[]
  /** The last of them, in the end. */
  readonly task: Task | undefined
  readonly shape: TaskShape | undefined
  readonly deliveries: readonly DeliveryShape[]
}

/** The service alone, without the control API. */
const answer = createPipeline(new Routes(MAIN_DIALECT, [UPLOAD_ROUTE]))

const DAY = 86_400_000

/**
 * Carries out a plan on a simulator of its own, which sends nothing.
 * @param until ends the repetition of the last request early
 * @throws ScenarioError if the scenario cannot be read without its files
 */
export async function dryRun(
  plan: TestPlan,
  dialects: Dialects,
  until: (sent: Sent) => boolean = () => false,
): Promise<DryRun & { readonly repeated: number }> {
  const scenario = await readScenario(plan.scenario)
  const settings = {
    clock: 'manual',
    seed: plan.seed,
    receivers: plan.receivers.map((url) => ({ url })),
    transport: transportOf(plan.answers),
  } as const
  const sim = new Simulator(scenario, settings, undefined, { dialects })
  try {
    return await new PlanRun(sim, until).run(plan.steps)
  } finally {
    sim.close()
  }
}

function readScenario({ name, text }: TestScenario) {
  return text === undefined ? shippedScenario(name) : parseScenario(text)
}

function transportOf(answers: readonly number[]): Transport {
  const left = [...answers]
  return async () => {
    const status = left.shift() ?? 204
    if (status === 0) throw new Error('no answer')
    return { status }
  }
}

/** Carries out the steps of a plan, and collects what its requests got. */
class PlanRun {
  readonly #sim: Simulator
  readonly #until: (sent: Sent) => boolean
  #last: AnsweredRequest | undefined
  readonly #ids: string[] = []
  #repeated = 0
  #kept: readonly string[] | undefined

  constructor(sim: Simulator, until: (sent: Sent) => boolean) {
    this.#sim = sim
    this.#until = until
    sim.on('request.answered', (request) => {
      this.#last = request
    })
    sim.on('task.created', ({ id }) => {
      this.#ids.push(id)
    })
  }

  get #taskId(): string {
    return this.#ids.at(-1) ?? ''
  }

  async run(steps: readonly Step[]): Promise<DryRun & { readonly repeated: number }> {
    const sent: (Sent | undefined)[] = []
    for (const step of steps) sent.push(await this.#take(step))
    const task = this.#task()
    const { deliveries = [] } = this.#sim.webhooks.log.list({ limit: 100 }) ?? {}
    const ofTask = deliveries.filter(({ taskId }) => taskId === this.#taskId)
    return {
      sent,
      ids: this.#ids,
      task,
      shape: task && taskShape(task, this.#sim, ORIGIN),
      deliveries: ofTask.map(deliveryShape).reverse(),
      repeated: this.#repeated,
    }
  }

  #task(): Task | undefined {
    return this.#taskId === '' ? undefined : this.#sim.tasks.get(this.#taskId)
  }

  async #take(step: Step): Promise<Sent | undefined> {
    const { clock, tasks } = this.#sim
    switch (step.type) {
      case 'send':
        return this.#repeat(step)
      case 'download':
        return this.#download(step)
      case 'keep':
        this.#kept = this.#files()
        return undefined
      case 'advance':
        await clock.advance(step.ms)
        return undefined
      case 'idle':
        await clock.runUntilIdle()
        return undefined
      case 'hold':
        tasks.hold(this.#taskId)
        return undefined
      case 'finish':
        await tasks.finish(this.#taskId, { outcome: step.status, error: step.error })
        return undefined
    }
  }

  async #repeat({ request, times = 1, ends }: Extract<Step, { type: 'send' }>): Promise<Sent> {
    for (let count = 1; ; count++) {
      const sent = await this.#send(request)
      this.#repeated = count
      if (count >= times || this.#until(sent)) return sent
      if (ends === true) await this.#sim.clock.runUntilIdle()
    }
  }

  async #download({ file, isAltered }: Extract<Step, { type: 'download' }>): Promise<Sent | undefined> {
    const url = (this.#kept ?? this.#files())[file]
    if (url === undefined) return undefined
    const { pathname: path, search } = new URL(isAltered ? `${url}0` : url)
    return this.#send({ method: 'GET', path, query: search.slice(1), headers: {}, body: undefined })
  }

  /** The URLs of the files of the task, in their order. */
  #files(): readonly string[] {
    const task = this.#task()
    const output = task && taskShape(task, this.#sim, ORIGIN).output
    return JSON.stringify(output ?? null).match(/https?:\/\/[^"\\]+\/files\/[^"\\]+/g) ?? []
  }

  async #send(request: PlannedRequest): Promise<Sent> {
    this.#last = undefined
    const reply = await this.#settle(Promise.resolve(answer(this.#sim, withId(request, this.#taskId))))
    const last = this.#last as AnsweredRequest | undefined
    const { transmission, body } = reply ?? {}
    return {
      status: reply === undefined ? 0 : (last?.status ?? reply.status),
      delivered: last?.delivered ?? false,
      hangs: reply === undefined || (transmission !== undefined && 'hangs' in transmission),
      decision: last && decisionOf(last),
      body: typeof body === 'string' ? body : undefined,
    }
  }

  /** Waits for an answer, which may need the clock: a fault can delay it, and a service can hold it. */
  async #settle(pending: Promise<Reply>): Promise<Reply | undefined> {
    let reply: Reply | undefined
    const settled = pending.then((value) => {
      reply = value
    })
    const { clock } = this.#sim
    const end = clock.now() + DAY
    for (;;) {
      for (let turn = 0; turn < 25 && reply === undefined; turn++) await yieldToEventLoop()
      if (reply !== undefined) break
      if (clock.next === undefined || clock.next > end) return undefined
      await clock.advance(clock.next - clock.now())
    }
    await settled
    return reply
  }
}

/** The request with the id of the task in its places. */
function withId({ path, query, body = '', ...rest }: PlannedRequest, id: string): ApiRequest {
  const replaced = (text: string) => text.replaceAll(ID, id)
  return ownRequest({
    ...rest,
    path: replaced(path),
    query: replaced(query),
    body: replaced(body),
    origin: ORIGIN,
  })
}
