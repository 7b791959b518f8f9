import { getResponse } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FILES } from '../../src/dialects/files/index.generated.js'
import { taskQueryOf } from '../../src/dialects/requests/address.js'
import type { DialectOperation, DialectTable } from '../../src/dialects/table/dialect-table.generated.js'
import { tableOf } from '../../src/dialects/table/tasks/objects.js'
import { listen } from '../../src/hosts/express/index.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type ScenarioInput, type Simulator } from '../../src/index.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { sampleOf } from '../support/deep.js'
import { serviceUrl, withServiceHosts } from '../support/service-url.js'

// Each operation of each dialect in each state of a task, and each of its webhooks, must give the text that stands in
// fixtures/exchanges. `npx vitest run test/dialects --update` writes it anew after a change on purpose; what changed shows in the diff.

const SHOWN = ['content-type', 'location', 'retry-after', 'www-authenticate']
const HOOK = 'https://app.example.com/hook'

/** The requests of one service. */
interface Example {
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a create request. */
  readonly body: object
  /** The bodies of requests that make a task from another one, by their paths. */
  readonly made?: (id: string) => Readonly<Record<string, object>>
  /** The fields of a create request that order webhooks. */
  readonly webhook?: object
  /** The scenario whose receivers get webhooks that no request orders. */
  readonly receivers?: ScenarioInput
  /** The body of a request that registers a receiver. */
  readonly receiver?: object
  /** The query of a create request that orders webhooks. */
  readonly webhookQuery?: string
  /** The type of tasks, the fields of a create request, and the query of a poll, that ask for a stream. */
  readonly stream?: { readonly object?: string; readonly body: object; readonly query: string }
  /** The bodies of create requests for other types of tasks, by the type. */
  readonly objects?: Readonly<Record<string, object>>
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  assemblyai: {
    body: { audio_url: 'https://example.com/a.mp3', speech_models: ['universal'] },
    webhook: { webhook_url: HOOK, webhook_auth_header_name: 'X-Own', webhook_auth_header_value: 'secret' },
  },
  ark: {
    body: { model: 'seedance-1-0-pro', content: [{ type: 'text', text: 'waves' }] },
    webhook: { callback_url: HOOK },
  },
  bfl: { body: { prompt: 'waves' }, webhook: { webhook_url: HOOK } },
  dashscope: {
    headers: { 'x-dashscope-async': 'enable' },
    body: { model: 'wan2.5-t2v-preview', input: { prompt: 'waves' }, parameters: { size: '1280*720' } },
  },
  elevenlabs: {
    body: { source_url: 'https://example.com/a.mp3', target_lang: 'es' },
    objects: { speech: { text: 'waves' } },
  },
  kling: {
    body: { model_name: 'kling-v2-1', prompt: 'waves', image: 'https://example.com/a.png' },
    webhook: { callback_url: HOOK },
  },
  heygen: { body: { type: 'avatar', script: 'waves' }, webhook: { callback_url: HOOK, callback_id: 'mine' } },
  leonardo: {
    body: { prompt: 'waves', imageId: '1', imageType: 'GENERATED' },
    webhook: {},
    receivers: { webhooks: { receivers: [HOOK] } },
  },
  minimax: { body: { model: 'MiniMax-Hailuo-02', prompt: 'waves' }, webhook: { callback_url: HOOK } },
  stability: { body: { image: 'https://example.com/a.png', prompt: 'waves', seed: '7' } },
  together: { body: { model: 'minimax/video-01-director', prompt: 'waves' } },
  xai: { body: { model: 'grok-imagine-video', prompt: 'waves' } },
  fal: { body: { prompt: 'waves' }, webhookQuery: `?fal_webhook=${encodeURIComponent(HOOK)}` },
  google: {
    body: { instances: [{ prompt: 'waves' }], parameters: { durationSeconds: 4 } },
    webhook: { webhookConfig: { uris: [HOOK], userMetadata: { job: 'waves' } } },
    receiver: { uri: HOOK, subscribed_events: ['video.generated'] },
    objects: { interaction: { model: 'gemini-3-pro', input: 'waves', background: true } },
    stream: {
      object: 'interaction',
      body: { stream: true, generation_config: { max_output_tokens: 16, thinking_level: 'low' } },
      query: '?stream=true&last_event_id=',
    },
  },
  luma: { body: { model: 'ray-2', prompt: 'waves' }, webhook: { callback_url: HOOK } },
  openai: {
    body: { model: 'o3', input: 'waves', background: true },
    stream: {
      body: { stream: true, max_output_tokens: 16, reasoning: { effort: 'none' } },
      query: '?stream=true&starting_after=',
    },
    webhook: {},
    receivers: { webhooks: { receivers: [HOOK] } },
    objects: { video: { prompt: 'waves', seconds: '8' } },
    made: (id) => ({
      '/videos/{video_id}/remix': { prompt: 'foam' },
      '/videos/edits': { prompt: 'foam', video: { id } },
    }),
  },
  openrouter: { body: { model: 'google/veo-3.1', prompt: 'waves' }, webhook: { callback_url: HOOK } },
  replicate: {
    body: { version: 'acme/image-1', input: { prompt: 'waves' } },
    webhook: { webhook: HOOK, webhook_events_filter: ['start', 'output', 'logs', 'completed'] },
  },
  runpod: { body: { input: { prompt: 'waves' } }, webhook: { webhook: HOOK } },
  runway: {
    headers: { 'x-runway-version': '2024-11-06' },
    body: {
      model: 'gen4_turbo',
      promptText: 'waves',
      promptImage: 'https://example.com/a.png',
      ratio: '1280:720',
    },
  },
  vertex: {
    body: {
      instances: [{ prompt: 'waves' }],
      parameters: { durationSeconds: 4, storageUri: 'gs://acme/videos' },
    },
  },
}

const PARAMETERS: Readonly<Record<string, string>> = {
  endpoint: 'image-1',
  version: 'v1beta',
  owner: 'acme',
  app: 'image-1',
  path: 'fast',
  model: 'acme/image-1',
  name: 'image-1',
  source: '00000000-0000-4000-8000-000000000000',
}

interface Host {
  readonly name: string
  /** Returns a function that sends a request for the service's own host, and one that hides this host from texts. */
  serve(sim: Simulator, table: DialectTable): Promise<{ send: Send; hide: (text: string) => string }>
}

type Send = (request: Request) => Promise<Response | undefined>

const inProcess: Host = {
  name: 'in process',
  async serve(sim, { name, hosts = [] }) {
    const own = [...handlers(sim, { dialect: name })]
    // Files are on the host of the request; on a server, all hosts have one origin.
    const [main] = hosts
    const hide = (text: string) =>
      hosts.reduce(
        (shown, { origin }) => shown.replaceAll(`${origin}/files/`, `${main?.origin}/files/`),
        text,
      )
    return { send: (request) => getResponse(own, request), hide }
  },
}

const overHttp: Host = {
  name: 'over HTTP',
  async serve(sim, { name, hosts = [] }) {
    const { baseUrl, close } = await listen(sim, { port: 0 })
    const { origin } = new URL(baseUrl)
    onTestFinished(() => close())
    const onServer = (url: string) => {
      const host = hosts.find((host) => url.startsWith(`${host.origin}/`))
      return url.replace(host?.origin ?? '', `${origin}/${name}${host?.path ?? ''}`)
    }
    return {
      send: async (request) => fetch(new Request(onServer(request.url), request)),
      hide: (text) => withServiceHosts(text, origin, name, hosts),
    }
  },
}

/** A client of a dialect that records all exchanges. */
class Recorder {
  readonly lines: string[] = []
  readonly #sim: Simulator
  readonly #table: DialectTable
  readonly #host: ReturnType<Host['serve']>

  constructor(host: Host, table: DialectTable, scenario: ScenarioInput) {
    const errors: unknown[] = []
    this.#table = table
    this.#sim = createSimulator({
      clock: 'manual',
      scenario: { ...scenario, defaults: { delay: '10s' } },
      // Files that are data URLs over HTTP only would make the texts of the hosts differ.
      ...(table.outputs?.data_urls && { publicUrl: table.hosts?.[0]?.origin ?? '' }),
      transport: ({ url, headers, body }) => this.#receive(url, headers, body),
    })
    this.#sim.on('error', (error) => errors.push(error))
    this.#sim.on('delivery.attempted', ({ event }) => this.#print(`(the event ${event})`, ''))
    this.#host = host.serve(this.#sim, table)
    onTestFinished(() => {
      this.#sim.close()
      expect(errors).toEqual([])
    })
  }

  get clock() {
    return this.#sim.clock
  }

  /** Sends a request to an operation, and returns the id of the task in the answer. */
  async call(
    operation: DialectOperation,
    { id = '', query = '', body = bodyWithTask(operation, id), headers = {} }: Call = {},
  ): Promise<string> {
    const inQuery = taskQueryOf(operation).replace('{task_id}', encodeURIComponent(id))
    const path =
      pathOf(operation, id, this.#table) + inQuery + (inQuery === '' ? query : query.replace('?', '&'))
    return this.send(operation.method, path, headers, body)
  }

  async send(method: string, path: string, headers: Headers = {}, body?: object): Promise<string> {
    const { name, hosts, prefix = '', key } = this.#table
    const own = EXAMPLES[name]?.headers ?? {}
    const auth = {
      [key?.header ?? 'Authorization']: [key?.scheme, 'sk_live_local'].filter(Boolean).join(' '),
    }
    const text = body && JSON.stringify(body)
    const request = new Request(serviceUrl(hosts, prefix + path), {
      method,
      headers: { ...auth, ...own, ...(text && { 'content-type': 'application/json' }), ...headers },
      ...(text && { body: text }),
    })
    const host = await this.#host
    const response = await advanceUntilDone(this.#sim, host.send(request))
    if (response === undefined) throw new Error(`No handler answers ${method} ${path}`)
    const answer = host.hide(await advanceUntilDone(this.#sim, textOf(response)))
    this.#print(
      `${method} ${prefix}${path}`,
      ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
      ...(text === undefined ? [] : ['', text]),
      '',
      `HTTP ${response.status}`,
      ...shownOf(response.headers),
      ...(answer === '' ? [] : ['', answer]),
      '',
    )
    return idIn(answer)
  }

  async #receive(url: string, headers: Headers, body: Uint8Array) {
    this.#print(
      `--> POST ${url}`,
      ...Object.entries(headers).map(([header, value]) => `${header.toLowerCase()}: ${value}`),
      '',
      Buffer.from(body).toString(),
      '',
    )
    return { status: 204, body: '' } as never
  }

  #print(...lines: readonly string[]): void {
    this.lines.push(...lines)
  }
}

type Headers = Readonly<Record<string, string>>

interface Call {
  readonly id?: string
  readonly query?: string
  readonly body?: object | undefined
  readonly headers?: Headers
}

function pathOf({ path }: DialectOperation, id: string, { parameters = {} }: DialectTable): string {
  return path.replace(/\{(\w+)(\.\.\.)?\}/g, (_, name: string, dots?: string) => {
    const value = ['task_id', 'receiver_id', 'video_id'].includes(name)
      ? id
      : (parameters[name]?.[0] ?? PARAMETERS[name] ?? name)
    return dots === undefined ? (value.split('/').at(-1) ?? '') : value
  })
}

/** The body of a request about a task whose id is in the body. */
function bodyWithTask(operation: DialectOperation, id: string): object | undefined {
  const [, field] = /^\{\{body\.(\w+)/.exec(('task' in operation && operation.task) || '') ?? []
  return field === undefined ? undefined : { [field]: id }
}

function shownOf(headers: globalThis.Headers): string[] {
  const own = [...headers.keys()].filter((name) => /ratelimit|^x-fal-/.test(name))
  return [...SHOWN, ...own].flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []))
}

async function textOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const isText = /json|text/.test(response.headers.get('content-type') ?? 'text')
  return isText ? withoutData(bytes.toString()) : `(${bytes.length} bytes)`
}

function withoutData(text: string): string {
  return text.replace(/(data:[\w/]+;base64,)[\w+/=]+/g, '$1...')
}

function idIn(text: string): string {
  try {
    const answer = JSON.parse(text)
    const { data = {}, output, sdGenerationJob: job = {}, name = '' } = answer
    const own = answer.id ?? answer.task_id ?? answer.dubbing_id
    const held = data?.task_id ?? data?.video_id ?? output?.task_id ?? job.generationId
    return own ?? held ?? answer.request_id ?? name.split('/').at(-1)
  } catch {
    return /"id":"([^"]+)/.exec(text)?.[1] ?? ''
  }
}

/** Whether a path is on a host of the service; a server has further ones. */
function isOnAHost({ hosts = [], prefix = '' }: DialectTable, path: string): boolean {
  return hosts.length === 0 || hosts.some((host) => `${prefix}${path}`.startsWith(`${host.path}/`))
}

/** Each type of tasks of each dialect. */
const TYPES = FILES.flatMap((file) =>
  [undefined, ...Object.keys(EXAMPLES[file.name]?.objects ?? {})].map((type) => {
    return { ...file, type, title: [file.name, type].filter(Boolean).join('/') }
  }),
)

const CASES = sampleOf(
  TYPES.length,
  TYPES.flatMap((type) => [inProcess, overHttp].map((host) => ({ ...type, host }))),
)

describe.each(CASES)('the golden exchanges of $title $host.name', ({ name, load, type, host }) => {
  const golden = (part: string) =>
    new URL(`../../fixtures/exchanges/${[name, type, part].filter(Boolean).join('/')}.http`, import.meta.url)
      .pathname
  const main = EXAMPLES[name]
  if (main === undefined) throw new Error(`Add an example of ${name}.`)
  const body = type === undefined ? main.body : (main.objects?.[type] ?? {})
  const example = { ...main, body }

  async function open(scenario: ScenarioInput = {}, from = host) {
    const { TABLE } = (await load()) as { TABLE: DialectTable }
    const all = (...actions: readonly string[]) =>
      TABLE.operations.filter(
        ({ action, object, path }) =>
          actions.includes(action) && (object === type || object === 'any') && isOnAHost(TABLE, path),
      )
    const [create] = all('create')
    if (create === undefined) throw new Error(`${name} cannot create tasks.`)
    return { table: TABLE, all, create, recorder: new Recorder(from, TABLE, scenario) }
  }

  it('of every create operation are unchanged', async () => {
    const { all, recorder } = await open()
    let id = ''
    for (const operation of all('create')) {
      const made = main.made?.(id)[operation.path]
      if (made !== undefined) await recorder.clock.advance('1m')
      const created = await recorder.call(operation, made === undefined ? example : { id, body: made })
      if (made === undefined) id = created
    }
    await expect(recorder.lines.join('\n')).toMatchFileSnapshot(golden('create'))
  })

  it('of a task in every state are unchanged', async () => {
    const { table, all, create, recorder } = await open({ capacity: { running: 1 } })
    const read = async (id: string) => {
      for (const operation of all('retrieve', 'result', 'file'))
        if (!('wait' in operation) || operation.wait === undefined) await recorder.call(operation, { id })
    }
    const make = async (directive: string) =>
      recorder.call(create, { ...example, headers: { 'x-sim': directive } })
    const succeeded = await make('outcome=succeeded')
    const failed = await make('outcome=failed message=No.')
    await recorder.clock.advance('5s')
    await read(succeeded)
    await read(failed)
    await recorder.clock.advance('1m')
    await read(succeeded)
    for (const operation of all('retrieve', 'result', 'stream', 'parts'))
      await recorder.call(operation, { id: succeeded })
    await read(failed)
    for (const operation of all('stream')) await recorder.call(operation, { id: failed })
    const words = Object.values(tableOf(table, type).statuses).flatMap(({ by_error: byError = {} }) =>
      Object.keys(byError),
    )
    for (const code of words) {
      const other = await make(`outcome=failed error=${code}`)
      await recorder.clock.advance('1m')
      await read(other)
    }
    const canceled = await make('outcome=canceled')
    await recorder.clock.advance('1m')
    await read(canceled)
    await expect(recorder.lines.join('\n')).toMatchFileSnapshot(golden('states'))
  })

  it('of lists, cancellations, deletions and fixed answers are unchanged', async () => {
    const { all, create, recorder } = await open()
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.push(await recorder.call(create, example))
    for (const operation of all('list')) {
      const parameter = ('limit' in operation && operation.limit?.parameter) || 'limit'
      await recorder.call(operation, { query: `?${parameter}=2` })
      await recorder.call(operation)
    }
    for (const operation of all('cancel', 'delete')) {
      const id = ids.pop() ?? ''
      await recorder.call(operation, { id })
      await recorder.call(operation, { id })
      for (const retrieve of all('retrieve').slice(0, 1)) await recorder.call(retrieve, { id })
    }
    for (const operation of all('fixed')) await recorder.call(operation)
    await expect(recorder.lines.join('\n')).toMatchFileSnapshot(golden('others'))
  })

  it('of rejections are unchanged', async () => {
    const { all, create, recorder } = await open()
    const { header = 'Authorization' } = (await open()).table.key ?? {}
    await recorder.call(create, { ...example, headers: { [header]: '' } })
    await recorder.call(create, { body: {} })
    const id = '00000000-0000-4000-8000-000000000000'
    for (const retrieve of all('retrieve').slice(0, 1)) {
      await recorder.call(retrieve, { id })
      await recorder.call(retrieve, { id, headers: { 'x-sim': 'fault=429' } })
      await recorder.call(retrieve, { id, headers: { 'x-sim': 'fault=500' } })
    }
    await recorder.send('PATCH', pathOf(create, '', (await open()).table))
    await expect(recorder.lines.join('\n')).toMatchFileSnapshot(golden('rejections'))
  })

  it.runIf(example.receiver !== undefined)('of receivers that a client registers are unchanged', async () => {
    const { all, recorder } = await open()
    const { receiver: body = {} } = example
    for (const operation of all('create_receiver')) {
      const id = await recorder.call(operation, { body })
      for (const each of all('update_receiver')) await recorder.call(each, { id, body: { name: 'mine' } })
      for (const each of all('ping_receiver')) await recorder.call(each, { id, body: {} })
      await recorder.clock.advance('1s')
      for (const each of all('rotate_secret')) await recorder.call(each, { id, body: {} })
      for (const each of all('retrieve_receiver', 'list_receivers', 'delete_receiver', 'retrieve_receiver'))
        await recorder.call(each, { id })
    }
    await expect(recorder.lines.join('\n')).toMatchFileSnapshot(golden('receivers'))
  })

  it.runIf(example.stream && example.stream.object === type)(
    'of streams on request are unchanged',
    async () => {
      const { all, create, recorder } = await open()
      const { body = {}, query = '' } = example.stream ?? {}
      const [retrieve] = all('retrieve')
      for (const outcome of ['succeeded', 'failed', 'canceled']) {
        const headers = { 'x-sim': `outcome=${outcome}` }
        const id = await recorder.call(create, { body: { ...example.body, ...body }, headers })
        if (retrieve !== undefined) await recorder.call(retrieve, { id, query: `${query}3` })
      }
      if (retrieve !== undefined) await recorder.call(retrieve, { id: 'none', query: `${query}x` })
      await expect(recorder.lines.join('\n')).toMatchFileSnapshot(golden('streams'))
    },
  )

  // Always in process: the signature of a webhook depends on the URLs in its body, and so on the host.
  const hasWebhooks = (example.webhook ?? example.webhookQuery) !== undefined
  it.runIf(hasWebhooks)('of webhooks are unchanged', async () => {
    const { create, recorder } = await open(example.receivers, inProcess)
    for (const outcome of ['succeeded', 'failed', 'canceled']) {
      const body = { ...example.body, ...example.webhook }
      await recorder.call(create, {
        body,
        query: example.webhookQuery ?? '',
        headers: { 'x-sim': `outcome=${outcome}` },
      })
      await recorder.clock.advance('1m')
    }
    await expect(recorder.lines.join('\n')).toMatchFileSnapshot(golden('webhooks'))
  })
})
