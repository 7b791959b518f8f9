import type {
  ClockShape,
  DeliveryPage,
  DeliveryShape,
  EntryShape,
  FindingShape,
  Page,
  PreviewShape,
  ReceiverShape,
  SandboxShape,
  ScenarioShape,
  StateShape,
  TaskBriefShape,
  TaskShape,
  VerdictShape,
} from '../control/shapes.js'
import type { Observable } from '../engine/observation.js'
import type { EventName } from '../engine/webhooks/event.js'
import type { ScenarioInput } from '../scenario/language/scenario-input.generated.js'
import type {
  DeliveryQuery,
  JournalQuery,
  NewReceiver,
  NewSandbox,
  PreviewOptions,
  ScenarioChoice,
  TaskQuery,
} from './queries.js'

/** How a request to the control API is made: over the network, or in process. */
export type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** A request to the control API that was refused; the message says why, and what to do. */
export class ControlError extends Error {
  /** Tells it from other errors. */
  override readonly name = 'ControlError'
  /** The HTTP status of the answer. */
  readonly status: number
  /** A word for programs, such as `invalid_request`; `unknown` where the answer had none. */
  readonly code: string
  /** The whole `error` of the answer, such as the `mistakes` of a scenario. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, details: Readonly<Record<string, unknown>>) {
    super(String(details['message'] ?? `The control API answered ${status}.`))
    this.status = status
    this.code = String(details['code'] ?? 'unknown')
    this.details = details
  }
}

/** The handle on a simulator, in this process or another: the control API, operation by operation. */
export class Control {
  readonly #call: Call

  constructor(call: Call) {
    this.#call = call
  }

  /** Scenario, clock and counts at a glance. */
  state(): Promise<StateShape> {
    return this.#get('/state')
  }

  /** Counts in the text format of Prometheus. */
  metrics(): Promise<string> {
    return this.#get('/metrics')
  }

  /**
   * What the client under test did wrong.
   * @param options `final`: whether it will send nothing more, so that what it left out counts as well
   */
  verdict(options: { final?: boolean } = {}): Promise<VerdictShape> {
    const { final = false } = options
    return this.#get(`/findings${final ? '?final=true' : ''}`)
  }

  /** What the client under test did wrong so far, the worst first. */
  async findings(): Promise<readonly FindingShape[]> {
    return (await this.verdict()).findings
  }

  /** Tells what cannot be seen from outside, such as that a webhook was processed. */
  async observe(
    what: Observable,
    about: { readonly task_id: string; readonly by?: string; readonly as?: 'url' | 'file' },
  ): Promise<void> {
    await this.#call('POST', '/observations', { what, ...about })
  }

  /** Goes back to the state after the start. */
  async reset(): Promise<void> {
    await this.#call('POST', '/reset', {})
  }

  /** Turns time. */
  readonly clock = {
    /** What time it is, and how it passes. */
    read: () => this.#get<ClockShape>('/clock'),
    /**
     * Moves time on, and answers when all that was due has happened, webhook attempts included.
     * @param duration such as `30s`
     */
    advance: (duration: string) => this.#turn({ advance: duration }),
    /** Moves time on to an instant, ISO 8601. */
    advanceTo: (instant: string) => this.#turn({ to: instant }),
    /** Moves time on until nothing is planned any more, or by the limit, such as `30d`. */
    runUntilIdle: (limit?: string) => this.#turn({ run_until_idle: limit ?? true }),
    /** Stops time: it moves only when it is told to. */
    freeze: () => this.#turn({ mode: 'manual' }),
    /** Lets time pass by itself; a speed of 60 lets a minute pass in a second. */
    run: (speed = 1) => this.#turn({ mode: 'real', speed }),
  }

  /** The tasks of all API keys. */
  readonly tasks = {
    /** A page of tasks with their plans, newest first. */
    list: (query: TaskQuery = {}) => this.#get<Page<TaskShape>>(`/tasks${search(query)}`),
    /** One line a task, without inputs and outputs. */
    brief: (query: TaskQuery = {}) =>
      this.#get<Page<TaskBriefShape>>(`/tasks${search({ ...query, brief: true })}`),
    /** One task, and what will become of it. */
    get: async (id: string) => this.#get<TaskShape>(`/tasks/${segment(id)}`),
    /** Ends it now: as it was planned, or as the ending says. */
    finish: (
      id: string,
      ending: {
        status?: 'succeeded' | 'failed' | 'canceled'
        error?: { code: string; message?: string }
      } = {},
    ) => this.#onTask(id, 'finish', ending),
    /** Keeps it from ending by itself. */
    hold: (id: string) => this.#onTask(id, 'hold'),
    /** Lets it go on. */
    release: (id: string) => this.#onTask(id, 'release'),
  }

  /** How the service behaves. */
  readonly scenario = {
    /** The one in force. */
    get: () => this.#get<ScenarioShape>('/scenario'),
    /** Puts another in force, for tasks that are created from now on. One with mistakes changes nothing. */
    replace: (choice: ScenarioChoice) => this.#send<ScenarioShape>('PUT', '/scenario', choice),
    /** Tries a scenario out, the one in force unless another is given, and changes nothing. */
    preview: async (options: PreviewOptions = {}) =>
      (await this.#send<{ data: PreviewShape[] }>('POST', '/preview', options)).data,
    /** Lays settings over the one in force. */
    patch: (layer: ScenarioInput) => this.#send<ScenarioShape>('PATCH', '/scenario', layer),
  }

  /** Who gets the webhooks of every task. */
  readonly receivers = {
    /** All of them, those included that are switched off. */
    list: async () => (await this.#get<{ data: ReceiverShape[] }>('/receivers')).data,
    /** Registers one more. */
    add: (receiver: NewReceiver) => this.#send<ReceiverShape>('POST', '/receivers', receiver),
    /** Takes one away; it gets nothing any more. */
    remove: async (id: string) => this.#send<ReceiverShape>('DELETE', `/receivers/${segment(id)}`),
  }

  /** The webhooks that were sent. */
  readonly deliveries = {
    /** A page of deliveries with all their attempts, newest first. */
    list: (query: DeliveryQuery = {}) => this.#get<DeliveryPage>(`/deliveries${search(query)}`),
    /** One of them. */
    get: async (id: string) => this.#get<DeliveryShape>(`/deliveries/${segment(id)}`),
    /** Sends its event once more, as a new delivery. */
    redeliver: async (id: string) =>
      this.#send<DeliveryShape>('POST', `/deliveries/${segment(id)}/redeliver`, {}),
  }

  /** Webhooks without a task. */
  readonly webhooks = {
    /** Sends a signed example to a URL, or to a receiver by its id; to all registered receivers unless one is given. */
    trigger: async (event: EventName, to?: string | { readonly receiver: string }) => {
      const target = typeof to === 'object' && to !== null ? to : { url: to }
      return (await this.#send<{ data: DeliveryShape[] }>('POST', '/webhooks/trigger', { event, ...target }))
        .data
    },
  }

  /** What happened. */
  readonly journal = {
    /** A page of lines, newest first. */
    list: (query: JournalQuery = {}) => this.#get<Page<EntryShape>>(`/journal${search(query)}`),
  }

  /** Isolated simulators in the same server, each behind an API key of its own. */
  readonly sandboxes = {
    /** Makes one. */
    create: (options: NewSandbox = {}) => this.#send<SandboxShape>('POST', '/sandboxes', options),
    /** All of them. */
    list: async () => (await this.#get<{ data: SandboxShape[] }>('/sandboxes')).data,
    /** One of them. */
    get: async (id: string) => this.#get<SandboxShape>(`/sandboxes/${segment(id)}`),
    /** Forgets it, and all that is in it. */
    delete: async (id: string) => this.#send<SandboxShape>('DELETE', `/sandboxes/${segment(id)}`),
    /** The same handle on what is in one of them. */
    control: (id: string) =>
      new Control(async (method, path, body) => this.#call(method, `/sandboxes/${segment(id)}${path}`, body)),
  }

  #get<Shape>(path: string): Promise<Shape> {
    return this.#send('GET', path)
  }

  async #send<Shape>(method: string, path: string, body?: object): Promise<Shape> {
    return (await this.#call(method, path, body)) as Shape
  }

  #turn(body: object): Promise<ClockShape> {
    return this.#send('POST', '/clock', body)
  }

  async #onTask(id: string, action: string, body: object = {}): Promise<TaskShape> {
    return this.#send('POST', `/tasks/${segment(id)}/${action}`, body)
  }
}

/**
 * An id as a part of a path. One that is empty, or made of dots, would lead somewhere else.
 * @throws ControlError 404, as nothing has such an id
 */
function segment(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id)
  throw new ControlError(404, { code: 'not_found', message: `Nothing has the id ${JSON.stringify(id)}.` })
}

function search(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`
}
