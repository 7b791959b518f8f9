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
} from '../api/control/shapes.js'
import type { Observable } from '../core/findings/observation.js'
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

  /**
   * What the client under test did wrong.
   * @param options.final whether it will send nothing more, so that what it left out counts as well
   */
  verdict({ final = false }: { final?: boolean } = {}): Promise<VerdictShape> {
    return this.#get(`/findings${final ? '?final=true' : ''}`)
  }

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
    get: async (id: string) => this.#get<TaskShape>(`/tasks/${segment(id)}`),
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
    remove: async (id: string) => this.#send<ReceiverShape>('DELETE', `/receivers/${segment(id)}`),
  }

  readonly deliveries = {
    list: (query: DeliveryQuery = {}) => this.#get<DeliveryPage>(`/deliveries${search(query)}`),
    get: async (id: string) => this.#get<DeliveryShape>(`/deliveries/${segment(id)}`),
    redeliver: async (id: string) =>
      this.#send<DeliveryShape>('POST', `/deliveries/${segment(id)}/redeliver`, {}),
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
    get: async (id: string) => this.#get<SandboxShape>(`/sandboxes/${segment(id)}`),
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
