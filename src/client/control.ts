import type {
  ClockShape,
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
} from '../api/control/shapes.js'
import type { ScenarioInput } from '../core/scenario/schema.js'
import type { EventName } from '../core/webhook/event.js'

/** How a request to the control API is made: over the network, or in process. */
export type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** A request to the control API that was refused; the message says why, and what to do. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: number
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

/** Which scenario: the name of a shipped one, YAML or JSON, or an object. */
export type ScenarioChoice =
  | { readonly name: string }
  | { readonly text: string }
  | { readonly scenario: ScenarioInput }

/** What to try out: which scenario, which model, and how many tasks of it (1 to 2000, 300 unless given). */
export type PreviewOptions = (ScenarioChoice | { readonly name?: undefined }) & {
  readonly model?: string
  readonly tasks?: number
}

export interface TaskQuery {
  readonly status?: string
  readonly model?: string
  readonly kind?: string
  readonly key?: string
  readonly text?: string
  readonly limit?: number
  readonly after?: string
}

export interface JournalQuery {
  readonly type?: EntryShape['type']
  readonly task?: string
  readonly key?: string
  readonly operation?: string
  readonly status?: number
  readonly since?: string
  readonly until?: string
  readonly limit?: number
  readonly after?: string
}

export interface DeliveryQuery {
  readonly task?: string
  /** Its id or its URL. */
  readonly receiver?: string
  readonly state?: 'pending' | 'delivered' | 'given_up' | 'lost'
  readonly limit?: number
  readonly after?: string
}

/** A receiver as a scenario writes it in full. */
export interface NewReceiver {
  readonly url: string
  readonly secret?: string
  readonly previous_secret?: string
  readonly events?: readonly string[]
  /** Durations such as `5s`. */
  readonly retries?: readonly string[]
  readonly timeout?: string
  readonly ordered?: boolean
}

export interface NewSandbox {
  /** Roots its draws: two sandboxes with the same name and seed make the same tasks. */
  readonly name?: string
  /** The name of a shipped one, or one as an object; or else `text`. */
  readonly scenario?: string | ScenarioInput
  readonly text?: string
  readonly seed?: string
  readonly clock?: 'real' | 'manual'
  readonly speed?: number
  readonly start?: string
  /** Real time without a request after which it is forgotten, such as `30m`. */
  readonly idle?: string
}

/** The handle on a simulator, in this process or another: the control API, operation by operation. */
export class Control {
  readonly #call: Call

  constructor(call: Call) {
    this.#call = call
  }

  state(): Promise<StateShape> {
    return this.#get('/state')
  }

  /** Counts in the text format of Prometheus. */
  metrics(): Promise<string> {
    return this.#get('/metrics')
  }

  async findings(): Promise<readonly FindingShape[]> {
    return (await this.#get<{ findings: FindingShape[] }>('/findings')).findings
  }

  /** Goes back to the state after the start. */
  async reset(): Promise<void> {
    await this.#call('POST', '/reset', {})
  }

  readonly clock = {
    read: () => this.#get<ClockShape>('/clock'),
    /** @param duration such as `30s` */
    advance: (duration: string) => this.#turn({ advance: duration }),
    advanceTo: (instant: string) => this.#turn({ to: instant }),
    runUntilIdle: (limit?: string) => this.#turn({ run_until_idle: limit ?? true }),
    freeze: () => this.#turn({ mode: 'manual' }),
    run: (speed = 1) => this.#turn({ mode: 'real', speed }),
  }

  readonly tasks = {
    list: (query: TaskQuery = {}) => this.#get<Page<TaskShape>>(`/tasks${search(query)}`),
    /** One line a task, without inputs and outputs. */
    brief: (query: TaskQuery = {}) =>
      this.#get<Page<TaskBriefShape>>(`/tasks${search({ ...query, brief: true })}`),
    get: (id: string) => this.#get<TaskShape>(`/tasks/${encodeURIComponent(id)}`),
    /** Ends it now: as it was planned, or as the ending says. */
    finish: (
      id: string,
      ending: {
        status?: 'succeeded' | 'failed' | 'canceled'
        error?: { code: string; message?: string }
      } = {},
    ) => this.#onTask(id, 'finish', ending),
    hold: (id: string) => this.#onTask(id, 'hold'),
    release: (id: string) => this.#onTask(id, 'release'),
  }

  readonly scenario = {
    get: () => this.#get<ScenarioShape>('/scenario'),
    replace: (choice: ScenarioChoice) => this.#send<ScenarioShape>('PUT', '/scenario', choice),
    /** Tries a scenario out, the one in force unless another is given, and changes nothing. */
    preview: async (options: PreviewOptions = {}) =>
      (await this.#send<{ data: PreviewShape[] }>('POST', '/preview', options)).data,
    patch: (layer: ScenarioInput) => this.#send<ScenarioShape>('PATCH', '/scenario', layer),
  }

  readonly receivers = {
    list: async () => (await this.#get<{ data: ReceiverShape[] }>('/receivers')).data,
    add: (receiver: NewReceiver) => this.#send<ReceiverShape>('POST', '/receivers', receiver),
    remove: (id: string) => this.#send<ReceiverShape>('DELETE', `/receivers/${encodeURIComponent(id)}`),
  }

  readonly deliveries = {
    list: (query: DeliveryQuery = {}) => this.#get<Page<DeliveryShape>>(`/deliveries${search(query)}`),
    get: (id: string) => this.#get<DeliveryShape>(`/deliveries/${encodeURIComponent(id)}`),
    redeliver: (id: string) =>
      this.#send<DeliveryShape>('POST', `/deliveries/${encodeURIComponent(id)}/redeliver`, {}),
  }

  readonly webhooks = {
    /** Sends a signed example; to all registered receivers unless a URL is given. */
    trigger: async (event: EventName, url?: string) =>
      (await this.#send<{ data: DeliveryShape[] }>('POST', '/webhooks/trigger', { event, url })).data,
  }

  readonly journal = {
    list: (query: JournalQuery = {}) => this.#get<Page<EntryShape>>(`/journal${search(query)}`),
  }

  readonly sandboxes = {
    create: (options: NewSandbox = {}) => this.#send<SandboxShape>('POST', '/sandboxes', options),
    list: async () => (await this.#get<{ data: SandboxShape[] }>('/sandboxes')).data,
    get: (id: string) => this.#get<SandboxShape>(`/sandboxes/${encodeURIComponent(id)}`),
    delete: (id: string) => this.#send<SandboxShape>('DELETE', `/sandboxes/${encodeURIComponent(id)}`),
    /** The same handle on what is in one of them. */
    control: (id: string) =>
      new Control((method, path, body) =>
        this.#call(method, `/sandboxes/${encodeURIComponent(id)}${path}`, body),
      ),
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

  #onTask(id: string, action: string, body: object = {}): Promise<TaskShape> {
    return this.#send('POST', `/tasks/${encodeURIComponent(id)}/${action}`, body)
  }
}

function search(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`
}
