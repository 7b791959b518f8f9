import { getResponse } from 'msw'
import { describe, expect, onTestFinished, test } from 'vitest'
import { handlers } from '../../../src/hosts/msw/index.js'
import { createSimulator, type ScenarioInput, type Simulator } from '../../../src/index.js'
import { advanceUntilDone } from '../../support/advance-until-done.js'
import { sampleOf } from '../../support/deep.js'
import { headersFor, idIn, needsKey, SERVICES, type Service, withFile } from '../../support/services.js'
import { found, HOOK } from './stage.js'

/** A client of a service in process, on a manual clock. */
class Client {
  readonly sim: Simulator
  readonly service: Service
  readonly #handlers: ReturnType<typeof handlers>
  readonly hooks: Request[] = []

  constructor(name: string, service: Service, scenario: ScenarioInput = {}) {
    const receivers = [{ url: HOOK, handle: (request: Request) => this.#accept(request), everyTask: true }]
    this.sim = createSimulator({
      clock: 'manual',
      // Before the end of some of the APIs.
      start: '2026-01-01',
      renderer: { render: async () => new Uint8Array(10_000) },
      scenario: { ...scenario, defaults: { delay: '30s' } },
      ...(scenario.webhooks !== undefined && { receivers }),
    })
    onTestFinished(() => this.sim.close())
    this.service = service
    this.#handlers = handlers(this.sim, { dialect: name })
  }

  #accept(request: Request): Response {
    this.hooks.push(request)
    return new Response()
  }

  /** Sends a request, and returns the text of its answer. */
  async send(
    path: string,
    { key, body, wait = false }: { key?: string; body?: object; wait?: boolean } = {},
  ) {
    const url = path.startsWith('http') ? path : this.service.origin + path
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const headers = {
      ...headersFor(this.service, key),
      ...(wait && { prefer: 'wait' }),
    }
    const response = await getResponse(this.#handlers, new Request(url, { ...init, headers }))
    return response === undefined ? '' : response.text()
  }

  async create(body: object = {}): Promise<string> {
    const text = await this.send(this.service.create, { body: { ...this.service.body, ...body } })
    return idIn(this.service, JSON.parse(text))
  }

  /** Polls a task a number of times. */
  async poll(id: string, seconds: number, times: number): Promise<string> {
    let text = ''
    for (let poll = 0; poll < times; poll++) {
      await this.sim.clock.advance(seconds * 1_000)
      text = await this.send(this.service.task(id))
    }
    return text
  }

  /** Polls a task until its end. */
  async finish(id: string): Promise<string> {
    const { interval, result } = this.service
    const answer = await this.poll(id, interval, Math.ceil(30 / interval))
    return withFile(this.service, id, result === undefined ? answer : await this.send(result(id)))
  }

  /** Reads a task without a pause until it has ended, and downloads its files. */
  async readUntilEnd(id: string, path: string): Promise<void> {
    const url = this.service.task(id).replace('status', path.replace(/\?.*/, ''))
    let answer = ''
    do answer = await this.send(`${url}${path.replace(/^[^?]*/, '')}`)
    while (/IN_/.test(answer))
    await this.download(answer)
  }

  /** Downloads the files in an answer. */
  async download(answer: string): Promise<void> {
    for (const [url] of filesIn(answer)) {
      await this.send(url, needsKey(url) ? {} : { key: '' })
    }
  }
}

/** What a service is asked for in {@link SERVICES}. */
const PROMPT = /a lighthouse|a horse|waves|Hello\.|https:[^"]+mp3/

/** The URLs of the files in an answer. */
function filesIn(answer: string): Iterable<RegExpExecArray> {
  return answer.matchAll(/https?:[^"]+?\/(?:files\/|[^"]+\/(?:content|audio))[^"]*/g)
}

interface Mistake {
  readonly id: string
  readonly scenario?: ScenarioInput
  readonly applies?: (service: Service) => boolean
  make(client: Client): Promise<unknown>
}

/** The field with the webhook URL. Services without one send webhooks to the receivers of the scenario. */
const withHook = ({ hook }: Service) => (hook === undefined ? {} : { [hook]: HOOK })

/** The service, whose create requests name a receiver of webhooks. */
const withWebhook = (service: Service): Service => ({
  ...service,
  create: `${service.create}?fal_webhook=${encodeURIComponent(HOOK)}`,
})

const good = async (client: Client) => client.download(await client.finish(await client.create()))

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'polls twenty times a second': {
    id: 'polls-too-fast',
    async make(client) {
      const id = await client.create()
      await client.poll(id, 0.05, 5)
      await client.download(await client.finish(id))
    },
  },
  'continues to poll after the end': {
    id: 'polls-after-end',
    async make(client) {
      const id = await client.create()
      await client.finish(id)
      await client.download(await client.poll(id, client.service.interval, 3))
    },
  },
  'forgets a task': {
    id: 'result-never-learned',
    make: (client) => client.create().then(() => client.sim.clock.advance('2m')),
  },
  'forgets the files': {
    id: 'output-never-downloaded',
    applies: ({ files = true }) => files,
    make: async (client) => client.finish(await client.create()),
  },
  'sees the end, and does not request the result': {
    id: 'result-never-fetched',
    applies: ({ result }) => result !== undefined,
    make: async (client) => client.poll(await client.create(), client.service.interval, 60),
  },
  'stops at a failed poll': {
    id: 'gives-up-after-failed-poll',
    scenario: { faults: [{ when: { operation: 'tasks.retrieve' }, then: 503 }] },
    make: async (client) =>
      client
        .poll(await client.create(), client.service.interval, 1)
        .then(() => client.sim.clock.advance('2m')),
  },
  'sends no key': {
    id: 'key-missing',
    async make(client) {
      await client.send(client.service.create, { key: '', body: client.service.body })
      await good(client)
    },
  },
  'repeats a create request after a lost answer': {
    id: 'pays-twice',
    scenario: { faults: [{ when: { operation: 'tasks.create', nth: 1 }, then: 'lost' }] },
    async make(client) {
      await client.create().catch(() => {})
      await client.sim.clock.advance('1s')
      await good(client)
    },
  },
  'takes a stored URL after two months': {
    id: 'fetched-after-expiry',
    applies: ({ files = true }) => files,
    async make(client) {
      const answer = await client.finish(await client.create())
      await client.sim.clock.advance('60d')
      await client.download(answer)
    },
  },
  'reads only the first page of a list': {
    id: 'list-not-followed',
    applies: ({ list }) => list !== undefined,
    async make(client) {
      await good(client)
      await good(client)
      await client.send(client.service.list ?? '')
    },
  },
  'accepts a forged webhook': {
    id: 'accepts-forged-webhook',
    scenario: { webhooks: { faults: [{ then: 'wrong_signature' }] } },
    applies: ({ signs }) => signs === true,
    make: (client) => client.create(withHook(client.service)).then(() => client.sim.clock.runUntilIdle()),
  },
  'accepts a recorded webhook': {
    id: 'accepts-old-timestamp',
    scenario: { webhooks: { faults: [{ then: 'old_timestamp' }] } },
    applies: ({ signs, signsNoTime = false }) => signs === true && !signsNoTime,
    make: (client) => client.create(withHook(client.service)).then(() => client.sim.clock.runUntilIdle()),
  },
}

describe.each(sampleOf(2, Object.entries(SERVICES)))('the findings about a client of %s', (name, service) => {
  const cases = Object.entries(MISTAKES).filter(([, { applies = () => true }]) => applies(service))

  test.each(cases)('name the mistake of one that %s', async (_, { id, scenario, make }) => {
    const client = new Client(name, service, scenario)
    await make(client)
    expect(await found(client.sim)).toContain(id)
  })

  test.runIf(service.files ?? true)('are empty for one that orders a task with an output', async () => {
    const client = new Client(name, service)
    const answer = await client.finish(await client.create())
    const [[url] = ['']] = [...filesIn(answer)]
    expect(url).not.toBe('')
    const withoutSignature = url.replace(/\?(?!.*index=).*/, '')
    const order = JSON.stringify(service.body).replace(PROMPT, withoutSignature)
    const later = await client.finish(await client.create(JSON.parse(order)))
    // Some services repeat the prompt in the output.
    await client.download(later.replaceAll(`"${withoutSignature}"`, ''))
    expect(await found(client.sim)).toEqual([])
  })

  test('are empty for one that makes no mistake', async () => {
    const client = new Client(name, service)
    await good(client)
    if (service.list !== undefined) {
      await good(client)
      const page = JSON.parse(await client.send(service.list))
      const query = (service.next ?? 'offset=1').replace(/\{(\w+)\}/, (_, field) => page[field])
      const next = page.next ?? page.page_details?.prev_url ?? `${service.list}&${query}`
      await client.send(next)
    }
    expect(await found(client.sim)).toEqual([])
  })

  test.runIf(service.hook !== undefined && service.signs !== true)(
    'say nothing about signatures, because the service does not sign',
    async () => {
      const client = new Client(name, service, { webhooks: { faults: [{ then: 'wrong_signature' }] } })
      await client.create(withHook(service))
      await client.sim.clock.runUntilIdle()
      expect(client.hooks.length).toBeGreaterThan(0)
      expect(await found(client.sim)).not.toContain('accepts-forged-webhook')
    },
  )
})

describe('a client of OpenAI that downloads a video', () => {
  const videos: Service = {
    ...(SERVICES['openai'] as Service),
    create: '/v1/videos',
    body: { prompt: 'waves', model: 'sora-2' },
    task: (id) => `/v1/videos/${id}`,
    interval: 10,
  }
  const downloadAfter = async (time: '1m' | '2h') => {
    const client = new Client('openai', videos)
    const id = await client.create()
    await client.finish(id)
    await client.sim.clock.advance(time)
    await client.send(`${videos.task(id)}/content`)
    return found(client.sim)
  }

  test('is reported if the video has expired, which the service answers with 404', async () => {
    expect(await downloadAfter('2h')).toEqual(['fetched-after-expiry'])
  })

  test('is not reported for an expiry if it comes in time', async () => {
    expect(await downloadAfter('1m')).toEqual([])
  })
})

test('a client of Google that downloads a video without its key has not changed the URL', async () => {
  const google = SERVICES['google'] as Service
  const client = new Client('google', google)
  const answer = await client.finish(await client.create())
  const [url = ''] = answer.match(/https?:[^"]+:download[^"]*/) ?? []
  expect(url).not.toBe('')
  await client.send(url, { key: '' })
  await client.send(url)
  expect(await found(client.sim)).toEqual([])
})

describe('a client that leaves a create request before its answer', () => {
  const prompt = { prompt: 'waves' }
  const responses = { ...(SERVICES['openai'] as Service), body: { model: 'o3', input: 'Write.' } }
  const fal = { ...(SERVICES['fal'] as Service), origin: 'https://fal.run', body: prompt }
  const runpod = { ...(SERVICES['runpod'] as Service), create: '/v2/flux-image/runsync' }
  const UNFINDABLE: readonly [string, string, Service][] = [
    ['a response of OpenAI', 'openai', responses],
    ['a streamed response of OpenAI', 'openai', { ...responses, body: { ...responses.body, stream: true } }],
    ['a response of OpenAI in the background', 'openai', SERVICES['openai'] as Service],
    ['fal.run', 'fal', fal],
    ['a stream of fal.run', 'fal', { ...fal, create: '/fal-ai/any-llm/stream' }],
    ['runsync of RunPod', 'runpod', runpod],
    ['a task of Runway', 'runway', SERVICES['runway'] as Service],
    ['the queue of fal, without a webhook', 'fal', SERVICES['fal'] as Service],
  ]
  const FINDABLE: readonly [string, string, Service][] = [
    ['a video of OpenAI', 'openai', { ...responses, create: '/v1/videos', body: prompt }],
    ['a held prediction of Replicate', 'replicate', SERVICES['replicate'] as Service],
    ['the queue of fal, with a webhook', 'fal', withWebhook(SERVICES['fal'] as Service)],
  ]

  /** Sends create requests whose answers are lost. */
  const leave = async (name: string, service: Service, times = 1, scenario: ScenarioInput = {}) => {
    const faults = [{ when: { operation: 'tasks.create' as const }, then: 'lost' as const }]
    const client = new Client(name, service, { ...scenario, faults })
    for (let time = 0; time < times; time++) {
      const sending = client.send(service.create, { body: service.body, wait: true })
      await advanceUntilDone(
        client.sim,
        sending.catch(() => ''),
      )
      await client.sim.clock.advance('5s')
    }
    await client.sim.clock.runUntilIdle()
    return client.sim.verdict({ final: true })
  }
  const stateOf = ({ checked }: Awaited<ReturnType<typeof leave>>) =>
    checked.find(({ id }) => id === 'orphans-task')

  test.each(UNFINDABLE)('is not accused if nothing shows it the task: %s', async (_, name, service) => {
    expect(stateOf(await leave(name, service))).toMatchObject({
      state: 'not_observed',
      reason: expect.stringContaining('Nothing shows'),
    })
  })

  test.each(UNFINDABLE)('is reported if it pays twice for %s', async (_, name, service) => {
    expect((await leave(name, service, 2)).findings.map(({ id }) => id)).toContain('pays-twice')
  })

  test.each(FINDABLE)('is reported if a list or a webhook could show %s', async (_, name, service) => {
    expect(stateOf(await leave(name, service))?.state).toBe('found')
  })

  test('may learn about the task from the webhook of its account', async () => {
    const verdict = await leave('openai', SERVICES['openai'] as Service, 1, { webhooks: {} })
    expect(stateOf(verdict)?.reason).toContain('accepted the webhook')
  })
})

test('a create answer that is not readable has not shown its task, however long it is', async () => {
  const service = SERVICES['replicate'] as Service
  const then = 'invalid_json'
  const client = new Client('replicate', service, { faults: [{ when: { operation: 'tasks.create' }, then }] })
  // The journal does not keep a text of more than 16 KiB.
  const body = { ...service.body, input: { prompt: 'a fox '.repeat(4_000) } }
  expect((await client.send(service.create, { body })).length).toBeGreaterThan(16_384)
  await client.sim.clock.advance(60_000)
  expect(await found(client.sim)).toEqual(['orphans-task'])
})

test('a client that takes the answer to a background request for the result gets a reason', async () => {
  const client = new Client('openai', SERVICES['openai'] as Service)
  await client.create()
  const { checked, findings } = await client.sim.verdict({ final: true })
  expect(findings.map(({ id }) => id)).toEqual(['result-never-learned'])
  expect(checked.find(({ id }) => id === 'takes-unfinished-for-result')).toMatchObject({
    state: 'not_observed',
    reason: expect.stringContaining('`result-never-learned` reports'),
  })
})

describe('a client of fal that polls the result, not the status', () => {
  const fal = SERVICES['fal'] as Service
  const poll = async (scenario: ScenarioInput = {}) => {
    const client = new Client('fal', fal, scenario)
    const result = fal.result?.(await client.create()) ?? ''
    for (let times = 0; times < 5; times++) {
      await client.send(result)
      await client.sim.clock.advance('10s')
    }
    await client.download(await client.send(result))
    return found(client.sim)
  }

  test('may repeat requests until the result is there', async () => {
    expect(await poll()).not.toContain('retries-rejected')
  })

  test('is reported if it repeats them after a failure', async () => {
    expect(await poll({ rules: [{ then: { outcome: 'failed' } }] })).toContain('retries-rejected')
  })
})

describe('a client that reads the captions of a transcript', () => {
  const assemblyai = SERVICES['assemblyai'] as Service
  const RESULTS = ['srt', 'vtt', 'sentences', 'paragraphs', 'word-search?words=a']
  const readResults = async (client: Client, id: string) => {
    for (const result of RESULTS) await client.send(`${assemblyai.task(id)}/${result}`)
  }

  test('does not poll after the end', async () => {
    const client = new Client('assemblyai', assemblyai)
    const id = await client.create()
    await client.finish(id)
    await readResults(client, id)
    expect(await found(client.sim)).toEqual([])
  })

  test('learns from them that the task has ended', async () => {
    const client = new Client('assemblyai', assemblyai)
    const id = await client.create()
    await client.sim.clock.advance('2m')
    await readResults(client, id)
    expect(await found(client.sim)).toEqual([])
  })

  test('has not polled the task, and meets faults of the operation `tasks.result`', async () => {
    const faults = [{ when: { operation: 'tasks.result' as const, nth: 1 }, then: 503 }]
    const client = new Client('assemblyai', assemblyai, {
      faults,
      rules: [{ then: { delay: { polls: 2 } } }],
    })
    const id = await client.create()
    expect(await client.send(`${assemblyai.task(id)}/srt`)).toContain('503')
    await readResults(client, id)
    expect(await client.send(assemblyai.task(id))).toContain('"processing"')
    expect(await client.send(assemblyai.task(id))).toContain('"completed"')
  })
})

describe('a client that downloads a file without the key that it needs', () => {
  const videos: Readonly<Record<string, Service>> = {
    google: SERVICES['google'] as Service,
    openrouter: SERVICES['openrouter'] as Service,
    openai: {
      ...(SERVICES['openai'] as Service),
      create: '/v1/videos',
      body: { model: 'sora-2', prompt: 'waves' },
      task: (id) => `/v1/videos/${id}`,
      interval: 10,
    },
  }

  test.each(Object.entries(videos))('is reported for %s', async (name, service) => {
    const client = new Client(name, service)
    const id = await client.create()
    const [url = `${service.task(id)}/content`] =
      /https:[^"]+?(?:\/content|:download)[^"]*/.exec(await client.finish(id)) ?? []
    await client.send(url, { key: '' })
    expect(await found(client.sim)).toEqual(['key-missing'])
  })
})

describe('a client that downloads the files of OpenRouter by their index', () => {
  const openrouter = SERVICES['openrouter'] as Service
  const scenario = { kinds: { video: { output: { videos: Array.from({ length: 6 }, () => '{{file}}') } } } }
  const download = async (indexes: readonly number[]) => {
    const client = new Client('openrouter', openrouter, scenario)
    const id = await client.create()
    await client.finish(id)
    for (const index of indexes) await client.send(`${openrouter.task(id)}/content?index=${index}`)
    return found(client.sim)
  }

  test('may download each of them once', async () => {
    expect(await download([0, 1, 2, 3, 4, 5])).toEqual([])
  })

  test('is reported if one is downloaded repeatedly', async () => {
    expect(await download([1, 1, 1, 1, 1, 1])).toEqual(['hot-linked'])
  })
})

describe('a client that lets RunPod hold the answer', () => {
  const runpod = SERVICES['runpod'] as Service
  /** Reads a job without a pause until it ends, as the official client does. */
  const readAtOnce = async (path: string): Promise<Client> => {
    const client = new Client('runpod', runpod)
    await advanceUntilDone(client.sim, client.readUntilEnd(await client.create(), path))
    return client
  }

  test('is not reported for a request right after the previous one', async () => {
    expect(await found((await readAtOnce('status-sync?wait=8000')).sim)).toEqual([])
  })

  test('is reported if each request is held for a moment only', async () => {
    expect(await found((await readAtOnce('status-sync?wait=500')).sim)).toEqual(['polls-too-fast'])
  })
})
