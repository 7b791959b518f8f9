import type {
  ClockChange,
  ClockShape,
  CodeQuery,
  DeliveryBriefShape,
  DeliveryPage,
  DeliveryQuery,
  DeliveryShape,
  DialectShape,
  EntryShape,
  FindingQuery,
  FindingShape,
  JournalQuery,
  NewReceiver,
  NewRequest,
  NewSandbox,
  Observation,
  OverviewShape,
  Page,
  PreviewOptions,
  PreviewShape,
  ReceiverShape,
  Redelivery,
  RequestEntryShape,
  RequestQuery,
  RunPlanShape,
  RunShape,
  SandboxShape,
  ScenarioChoice,
  ScenarioShape,
  ServiceAnswerShape,
  ServiceRequestShape,
  ShippedScenarioShape,
  StateShape,
  TaskBriefShape,
  TaskEnding,
  TaskQuery,
  TaskShape,
  UpcomingShape,
  VerdictShape,
  WebhookTrigger,
  WrittenRequestShape,
} from '../control/shapes.js'
import type { ScenarioInput } from '../scenario/scenario-input.generated.js'
import { type Call, search, segment } from './call.js'

/** A client of the control API of a simulator, in this process or another. */
export class Control {
  readonly #call: Call

  constructor(call: Call) {
    this.#call = call
  }

  /** Reads the scenario, the clock and the counts. */
  state(): Promise<StateShape> {
    return this.#call('GET', '/state')
  }

  /** Reads the metrics in the text format of Prometheus. */
  metrics(): Promise<string> {
    return this.#call('GET', '/metrics')
  }

  /** Reads what the tasks cost over time, the limits on running tasks, and the failing receivers. */
  overview(): Promise<OverviewShape> {
    return this.#call('GET', '/overview')
  }

  /**
   * Reads the mistakes of the client under test, and the result of every rule.
   * @param query `final`: whether the client has sent its last request, so that omissions count too; `task`: the id of
   * a task, to count only mistakes with this task; `since`: an instant, to count only later ones
   */
  verdict(query: Omit<FindingQuery, 'final'> & { readonly final?: boolean } = {}): Promise<VerdictShape> {
    return this.#call('GET', `/findings${search(query)}`)
  }

  /** Reads the mistakes of the client under test, the most severe first. @param query that of {@link verdict} */
  async findings(
    query: Omit<FindingQuery, 'final'> & { readonly final?: boolean } = {},
  ): Promise<readonly FindingShape[]> {
    return (await this.verdict(query)).findings
  }

  /** Writes a Vitest file that fails if a client makes the mistake of a rule, such as `polls-too-fast`. */
  async findingTest(rule: string): Promise<string> {
    return this.#call('GET', `/findings/${segment(rule)}/test`)
  }

  /** Reports an action of the client that the simulator cannot observe, such as processing a webhook. */
  async observe(what: Observation['what'], about: Omit<Observation, 'what'>): Promise<void> {
    await this.#call('POST', '/observations', { what, ...about })
  }

  /** Lists the places of the present run, and the runs with a deviation at each. */
  places(): Promise<RunPlanShape> {
    return this.#call('GET', '/places')
  }

  /**
   * Resets the simulator, and begins a run of the client.
   * @param id the deviation and its place, such as `tasks.create#1:lost`; without it, the run is the baseline
   * @throws ControlError 400 if the baseline has no such run; 409 without a baseline
   */
  beginRun(id?: string): Promise<RunShape> {
    return this.#call('POST', '/deviations', id === undefined ? {} : { id })
  }

  /**
   * Returns the whole state as the text of a file, from which a simulator can continue. It contains API keys and secrets.
   */
  exportState(): Promise<string> {
    return this.#call('GET', '/state.jsonl')
  }

  /**
   * Replaces the whole state. An invalid text changes nothing.
   * @param text a result of `exportState`, or the content of a file that `tasksim export` has written
   * @throws ControlError 400 with the invalid line; 409 if the state has another seed, or the simulator has a ledger
   */
  importState(text: string): Promise<StateShape> {
    return this.#call('PUT', '/state.jsonl', text)
  }

  /** Resets the simulator to its initial state. */
  async reset(): Promise<void> {
    await this.#call('POST', '/reset', {})
  }

  /** The clock. */
  readonly clock = {
    /** Reads the clock. */
    read: () => this.#call<ClockShape>('GET', '/clock'),
    /** Reads what happens next: the next event, the next webhook and the next expiry of URLs. */
    upcoming: () => this.#call<UpcomingShape>('GET', '/clock/upcoming'),
    /**
     * Advances the clock, and resolves when all due events have happened, including webhook attempts.
     * @param duration such as `30s`
     */
    advance: (duration: string) => this.#turn({ advance: duration }),
    /** Advances the clock to an instant in ISO 8601 format. */
    advanceTo: (instant: string) => this.#turn({ to: instant }),
    /** Advances the clock until no events are scheduled, or by at most a limit such as `30d`. */
    runUntilIdle: (limit?: string) => this.#turn({ run_until_idle: limit ?? true }),
    /** Pauses the clock, which then moves only when a request advances it. */
    freeze: () => this.#turn({ mode: 'manual' }),
    /** Resumes the clock. At a speed of 60, a simulated minute takes a second. */
    run: (speed = 1) => this.#turn({ mode: 'real', speed }),
  }

  /** The tasks of all API keys. */
  readonly tasks = {
    /** Lists tasks with their plans, newest first. */
    list: (query: TaskQuery = {}) => this.#call<Page<TaskShape>>('GET', `/tasks${search(query)}`),
    /** Lists tasks without inputs and outputs. */
    brief: (query: TaskQuery = {}) =>
      this.#call<Page<TaskBriefShape>>('GET', `/tasks${search({ ...query, brief: true })}`),
    /** Reads a task and its plan. */
    get: async (id: string) => this.#call<TaskShape>('GET', `/tasks/${segment(id)}`),
    /** Reads the answer that a poll by the client would get now. It does not count as a poll. */
    answer: async (id: string) => this.#call<ServiceAnswerShape>('GET', `/tasks/${segment(id)}/answer`),
    /** Reads a request that creates an identical task, with its code if wanted. */
    request: async (id: string, query: CodeQuery = {}) =>
      this.#call<ServiceRequestShape>('GET', `/tasks/${segment(id)}/request${search(query)}`),
    /**
     * Writes a Vitest file in which a task gets the result of this one.
     * @throws ControlError 409 if no test can get it
     */
    test: async (id: string) => this.#call<string>('GET', `/tasks/${segment(id)}/test`),
    /** Ends a task now, as planned or with the given ending. */
    finish: (id: string, ending: TaskEnding = {}) => this.#act(id, 'finish', ending),
    /** Holds a task, so that it does not end by itself. */
    hold: (id: string) => this.#act(id, 'hold'),
    /** Releases a held task. */
    release: (id: string) => this.#act(id, 'release'),
  }

  /** The active scenario, which defines the behavior of the service. */
  readonly scenario = {
    /** Reads the active scenario. */
    get: () => this.#call<ScenarioShape>('GET', '/scenario'),
    /** Reads the file of a shipped scenario, which does not become active. */
    shipped: async (name: string) => this.#call<ShippedScenarioShape>('GET', `/scenarios/${segment(name)}`),
    /** Replaces the scenario for tasks that are created from now on. An invalid scenario changes nothing. */
    replace: (choice: ScenarioChoice) => this.#call<ScenarioShape>('PUT', '/scenario', choice),
    /** Previews a scenario, by default the active one, without changing anything. */
    preview: async (options: PreviewOptions = {}) =>
      (await this.#call<{ data: PreviewShape[] }>('POST', '/preview', options)).data,
    /** Overrides settings of the active scenario. */
    patch: (layer: ScenarioInput) => this.#call<ScenarioShape>('PATCH', '/scenario', layer),
  }

  /** The receivers of the webhooks of all tasks. */
  readonly receivers = {
    /** Lists all receivers, including inactive ones. */
    list: async () => (await this.#call<{ data: ReceiverShape[] }>('GET', '/receivers')).data,
    /** Registers a receiver. */
    add: (receiver: NewReceiver) => this.#call<ReceiverShape>('POST', '/receivers', receiver),
    /** Removes a receiver. */
    remove: async (id: string) => this.#call<ReceiverShape>('DELETE', `/receivers/${segment(id)}`),
  }

  /** The webhooks that were sent. */
  readonly deliveries = {
    /** Lists deliveries with all their attempts, newest first. */
    list: (query: DeliveryQuery = {}) => this.#call<DeliveryPage>('GET', `/deliveries${search(query)}`),
    /** Lists deliveries without the headers and bodies of their attempts. */
    brief: (query: DeliveryQuery = {}) =>
      this.#call<DeliveryPage<DeliveryBriefShape>>('GET', `/deliveries${search({ ...query, brief: true })}`),
    /** Reads a delivery. */
    get: async (id: string) => this.#call<DeliveryShape>('GET', `/deliveries/${segment(id)}`),
    /** Sends the event again, as a new delivery. */
    redeliver: async (id: string, changes: Redelivery = {}) =>
      this.#call<DeliveryShape>('POST', `/deliveries/${segment(id)}/redeliver`, changes),
  }

  /** The wire formats that the simulator speaks. */
  readonly dialects = {
    /** Lists all dialects, with their webhooks and an example of a request. */
    list: async () => (await this.#call<{ data: DialectShape[] }>('GET', '/dialects')).data,
    /** Writes a request that creates a task, and its code. Sends nothing. */
    write: (request: NewRequest = {}) => this.#call<WrittenRequestShape>('POST', '/requests', request),
  }

  /** Webhooks without a task. */
  readonly webhooks = {
    /**
     * Sends a signed example of an event.
     * @param event whatever the service calls it
     * @param to a URL, or the id of a receiver; by default, all registered receivers
     * @param options `dialect`: the wire format of the webhook; `tasks` by default
     */
    trigger: async (
      event: NonNullable<WebhookTrigger['event']>,
      to?: string | { readonly receiver: string },
      options: Pick<WebhookTrigger, 'dialect'> = {},
    ) => {
      const target = typeof to === 'object' && to !== null ? to : { url: to }
      const trigger: WebhookTrigger = { event, ...target, ...options }
      return (await this.#call<{ data: DeliveryShape[] }>('POST', '/webhooks/trigger', trigger)).data
    },
  }

  /** The record of events. */
  readonly journal = {
    /** Lists entries, newest first. */
    list: (query: JournalQuery = {}) => this.#call<Page<EntryShape>>('GET', `/journal${search(query)}`),
    /** Lists requests without headers and bodies, newest first. */
    brief: (query: JournalQuery = {}) =>
      this.#call<Page<RequestEntryShape>>(
        'GET',
        `/journal${search({ ...query, type: 'request', brief: true })}`,
      ),
    /** Reads an answered request by its id, as in `X-Request-Id`. */
    request: async (id: string) => this.#call<RequestEntryShape>('GET', `/journal/${segment(id)}`),
    /** Reads a request that repeats an answered one, with its code if wanted. */
    repeat: async (id: string, query: CodeQuery = {}) =>
      this.#call<ServiceRequestShape>('GET', `/journal/${segment(id)}/request${search(query)}`),
    /**
     * Writes a Vitest file in which a request gets the answer of this one.
     * @throws ControlError 409 if no test can get it
     */
    test: async (id: string) => this.#call<string>('GET', `/journal/${segment(id)}/test`),
    /** Exports the requests as a HAR file: an object of the format HAR 1.2, oldest request first. */
    har: (query: RequestQuery = {}) => this.#call<object>('GET', `/journal.har${search(query)}`),
    /** Exports the requests with headers and bodies, oldest first, however many there are. */
    requests: (query: RequestQuery = {}) =>
      this.#call<readonly RequestEntryShape[]>('GET', `/journal.json${search(query)}`),
  }

  /** Isolated simulators in the same server, each with its own API key. */
  readonly sandboxes = {
    /** Creates a sandbox. */
    create: (options: NewSandbox = {}) => this.#call<SandboxShape>('POST', '/sandboxes', options),
    /** Lists all sandboxes. */
    list: async () => (await this.#call<{ data: SandboxShape[] }>('GET', '/sandboxes')).data,
    /** Reads a sandbox. */
    get: async (id: string) => this.#call<SandboxShape>('GET', `/sandboxes/${segment(id)}`),
    /** Deletes a sandbox and everything in it. */
    delete: async (id: string) => this.#call<SandboxShape>('DELETE', `/sandboxes/${segment(id)}`),
    /** A client of the control API of a sandbox. */
    control: (id: string) =>
      new Control(async (method, path, body) => this.#call(method, `/sandboxes/${segment(id)}${path}`, body)),
  }

  #turn(change: ClockChange): Promise<ClockShape> {
    return this.#call('POST', '/clock', change)
  }

  async #act(id: string, action: string, body: object = {}): Promise<TaskShape> {
    return this.#call('POST', `/tasks/${segment(id)}/${action}`, body)
  }
}
