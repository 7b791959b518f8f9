import { getResponse } from 'msw'
import { handlers } from '../../../src/hosts/msw/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../../src/index.js'
import type {
  RecordedBody,
  RecordedResponse,
  RecordingEntry,
  RecordingHeader,
} from '../../../src/record/recording/recording.js'

/** When recordings start. */
export const START = '2026-03-01T10:00:00.000Z'
export const SALT = '00112233445566778899aabbccddeeff'
export const HOOK = 'https://app.example.com/hooks'

/** Sends requests to a simulated service. */
export interface Served {
  readonly sim: Simulator
  /** The bodies of webhooks. */
  readonly webhooks: string[]
  send(url: string, init?: RequestInit): Promise<Response>
}

/** Serves a dialect in process on a manual clock, on the hosts of its own clients. */
export function serve(
  dialect: string,
  options: SimulatorOptions,
  onWebhook: (request: Request, body: string) => void = () => {},
): Served {
  const webhooks: string[] = []
  const handle = async (request: Request) => {
    const body = await request.text()
    webhooks.push(body)
    onWebhook(request, body)
    return new Response()
  }
  const sim = createSimulator({
    clock: 'manual',
    start: START,
    receivers: [{ url: HOOK, handle, everyTask: true }],
    ...options,
  })
  const own = handlers(sim, dialect === 'tasks' ? {} : { dialect })
  return {
    sim,
    webhooks,
    async send(url, init) {
      const response = await getResponse(own, new Request(url, init))
      if (response === undefined) throw new Error(`No handler answers ${url}`)
      return response
    },
  }
}

/** A simulated service whose exchanges are recorded, without the signatures of URLs. */
export function record(dialect: string, options: SimulatorOptions) {
  const entries: RecordingEntry[] = []
  const now = () => new Date(service.sim.clock.now()).toISOString()
  const service = serve(dialect, options, (request, body) => {
    const headers = Object.fromEntries(request.headers)
    const sent = { method: 'POST', url: request.url, headers, body: bodyOf(body) }
    entries.push({ type: 'webhook', at: now(), took: 0, request: sent, response: { status: 200 } })
  })
  const send: Served['send'] = async (url, init = {}) => {
    const at = now()
    const start = service.sim.clock.now()
    const response = await service.send(url, init)
    const add = (answer: Pick<RecordedResponse, 'body' | 'pieces'>) =>
      entries.push({
        type: 'exchange',
        at,
        took: service.sim.clock.now() - start,
        request: {
          method: init.method ?? 'GET',
          url,
          headers: {},
          body: typeof init.body === 'string' ? bodyOf(init.body) : undefined,
        },
        response: { status: response.status, headers: Object.fromEntries(response.headers), ...answer },
      })
    if (response.headers.get('content-type')?.startsWith('text/event-stream'))
      return recordedStream(response, () => service.sim.clock.now() - start, add)
    const text = await response.clone().text()
    add({ body: bodyOf(text) })
    return response
  }
  /** The recording so far, as a file. */
  const text = (): string => {
    const header: RecordingHeader = {
      tasksim: 'recording',
      version: 1,
      dialect,
      upstream: [],
      started_at: START,
      salt: SALT,
    }
    return `${[header, ...entries].map((line) => JSON.stringify(line)).join('\n')}\n`
  }
  return { ...service, send, entries, text }
}

function recordedStream(
  response: Response,
  after: () => number,
  add: (answer: Pick<RecordedResponse, 'pieces'>) => void,
): Response {
  const pieces: [number, string][] = []
  const decoder = new TextDecoder()
  const copy = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      pieces.push([after(), unsigned(decoder.decode(chunk, { stream: true }))])
      controller.enqueue(chunk)
    },
    flush: () => add({ pieces }),
  })
  return new Response(response.body?.pipeThrough(copy), response)
}

function bodyOf(text: string): RecordedBody | undefined {
  if (text === '') return undefined
  try {
    return { json: JSON.parse(unsigned(text)) }
  } catch {
    return { text: unsigned(text) }
  }
}

/** A text without the signatures of URLs, which differ between simulators. */
export function unsigned(text: string): string {
  return text.replace(/\?expires=\d+(?:&|\\u0026)signature=[\w-]+/g, '')
}
