import { getResponse } from 'msw'
import { onTestFinished } from 'vitest'
import { type Control, connect, type ServiceRequestShape } from '../../../src/client/index.js'
import type { Dialect } from '../../../src/dialects/dialect.js'
import { taskQueryOf } from '../../../src/dialects/requests/address.js'
import { createForms } from '../../../src/dialects/requests/create-form.js'
import { isPoll } from '../../../src/dialects/requests/poll-request.js'
import type { DialectOperation } from '../../../src/dialects/table/dialect-table.generated.js'
import { taskParameterOf } from '../../../src/dialects/table/requests/task-parameter.js'
import { answeredTask, answeredTasks } from '../../../src/engine/tasks/answered-task.js'
import type { Status } from '../../../src/engine/tasks/task.js'
import type { Rejection } from '../../../src/exchange/exchange.js'
import { listen } from '../../../src/hosts/express/index.js'
import { handlers } from '../../../src/hosts/msw/index.js'
import {
  createSimulator,
  parseDialect,
  type ScenarioInput,
  type Simulator,
  type SimulatorOptions,
} from '../../../src/index.js'
import { readPage, snippetsOf } from '../../docs/pages.js'
import { serviceUrl } from '../../support/service-url.js'

/** An answer, as far as it arrived. */
export interface Answer {
  /** 0 without an answer. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Whether the body broke off. */
  readonly isCut: boolean
}

/** A client that speaks any dialect, as far as the description of the dialect goes. */
export interface AnyClient {
  readonly sim: Simulator
  readonly dialect: Dialect
  /** Where the client found the service. It differs between servers. */
  readonly origin: string
  /** The control API on the host. */
  readonly control: Control
  create(): Promise<Answer>
  poll(id: string, signal?: AbortSignal): Promise<Answer>
  /** Sends a request that the control API shows. */
  send(request: ServiceRequestShape): Promise<Answer>
  /** The id of the task in an answer. */
  idIn(answer: Answer): string
  /** The state of the task in an answer, whatever the service calls it. */
  stateIn(answer: Answer): string | undefined
  /** What answers say about a task in a state: some services have one word for several states, or none. */
  shownAs(status: Status): string | undefined
  /** The status with which the service rejects a request. */
  rejects(rejection: Pick<Rejection, 'status' | 'code'>): number
}

type Send = (to: string, init: RequestInit) => Promise<Response>

interface Served {
  readonly origin: string
  /** Sends a request to a path of the dialect. */
  readonly send: Send
  /** Sends a request to a URL. */
  readonly sendTo: Send
  readonly control: Control
  readonly close?: () => unknown
}

/** A host, and how it serves a dialect. */
export interface Host {
  readonly name: string
  serve(sim: Simulator, dialect: Dialect): Promise<Served>
}

const MAIN = 'tasks'

const express: Host = {
  name: 'express',
  async serve(sim, { name }) {
    const { baseUrl, close } = await listen(sim, { port: 0 })
    const { origin } = new URL(baseUrl)
    const base = name === MAIN ? origin : `${origin}/${name}`
    return {
      origin,
      close,
      control: connect(origin),
      send: (path, init) => fetch(base + path, init),
      sendTo: fetch,
    }
  },
}

const msw: Host = {
  name: 'msw',
  async serve(sim, { name, hosts }) {
    const own = handlers(sim, name === MAIN ? {} : { dialect: name })
    const sendTo: Send = async (url, init) => {
      const response = await getResponse(own, new Request(url, init))
      if (response === undefined) throw new Error(`No handler answers ${url}`)
      return response
    }
    return {
      origin: new URL(serviceUrl(hosts, '/')).origin,
      control: sim.control,
      send: (path, init) => sendTo(serviceUrl(hosts, path), init),
      sendTo,
    }
  },
}

export const HOSTS: readonly Host[] = [express, msw]

/** The fields that a create request needs in any dialect. A dialect with another required field needs it here. */
const ORDER = {
  model: 'acme/image-1',
  input: { prompt: 'waves' },
  prompt: 'waves',
  promptText: 'waves',
  audio_url: 'https://example.com/speech.mp3',
  instances: [{ prompt: 'waves' }],
}

/** The fields that differ in a dialect. */
const OWN_FIELDS: Readonly<Record<string, object>> = {
  ark: { content: [{ type: 'text', text: 'waves' }] },
  heygen: { type: 'avatar' },
  openai: { input: 'waves', background: true },
  stability: { image: 'https://example.com/waves.png' },
}

/** The dialect of the docs, as a user would write it. */
export const OWN_DIALECTS = snippetsOf('docs/dialect-files.md', readPage('docs/dialect-files.md'))
  .filter(({ text }) => text.startsWith('name: '))
  .map(({ text }) => parseDialect(text))

/** The options of a simulator, with a scenario in the form of a file. */
export interface ClientOptions extends Omit<SimulatorOptions, 'scenario'> {
  readonly scenario?: ScenarioInput
}

/** Opens a client of a dialect on a host. Tasks take ten seconds by default. */
export async function openClient(
  host: Host,
  name: string,
  { scenario, ...options }: ClientOptions = {},
  key = 'sk_live_local',
  shared?: Simulator,
): Promise<AnyClient> {
  const sim =
    shared ??
    createSimulator({
      clock: 'manual',
      dialects: OWN_DIALECTS,
      ...options,
      scenario: { defaults: { delay: '10s' }, ...scenario },
    })
  const dialect = await sim.dialects.load(name)
  const { origin, send, sendTo, control, close } = await host.serve(sim, dialect)
  onTestFinished(async () => {
    sim.close()
    await close?.()
  })
  const { header, scheme } = dialect.key
  const headers = {
    [header]: scheme === undefined ? key : `${scheme} ${key}`,
    'content-type': 'application/json',
    accept: 'application/json',
    ...Object.fromEntries([...(dialect.requiredHeaders?.keys() ?? [])].map((name) => [name, 'any'])),
  }
  const [form] = createForms(dialect)
  const order = accepted({ ...ORDER, ...OWN_FIELDS[name] }, dialect)
  const creates = pathTo(
    dialect,
    firstOf(dialect, ({ method, action }) => method === 'POST' && action === 'create'),
  )
  const poll = firstOf(dialect, isPoll)
  const polls = pathTo(dialect, poll)
  const place = taskParameterOf(poll)
  const bodyOf = (id: string) => place?.part === 'body' && { body: JSON.stringify({ [place.name]: id }) }
  const { answers, table } = dialect
  const taskIn = ({ text }: Answer) => {
    const [task = {}] = answeredTasks(JSON.parse(text), answers)
    return answeredTask(task, answers)
  }
  return {
    sim,
    dialect,
    origin,
    control,
    send: ({ url, method, headers, body }) =>
      read(sendTo(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })),
    create: () =>
      read(
        send(creates, {
          method: 'POST',
          headers: { ...headers, ...form?.headers },
          body: JSON.stringify(order),
        }),
      ),
    poll: (id, signal) => {
      const init = { method: poll.method, headers, ...bodyOf(id), ...(signal && { signal }) }
      return read(send(polls.replace('{task_id}', id), init))
    },
    idIn: (answer) => String(taskIn(answer).id),
    stateIn: (answer) => taskIn(answer).status,
    shownAs: (status) =>
      answers.marks === undefined
        ? answers.words[table.statuses[status].word]
        : status.replace('queued', 'processing'),
    rejects: ({ status, code }) =>
      dialect.error({ status, code, message: '', param: undefined, headers: {} }, 'req_1', sim.scenario)
        .status,
  }
}

/** The fields that the first operation to create a task accepts. */
function accepted(order: object, { table }: Dialect): object {
  const creates = table?.operations.flatMap((operation) => (operation.action === 'create' ? [operation] : []))
  const { fields, unknown_fields: unknown } = creates?.[0] ?? {}
  if (unknown !== 'reject' || fields === undefined) return order
  return Object.fromEntries(Object.entries(order).filter(([field]) => fields.includes(field)))
}

/** The first operation of a dialect that fits. */
function firstOf({ name, table }: Dialect, fits: (operation: DialectOperation) => boolean): DialectOperation {
  const operation = table.operations.find(fits)
  if (operation === undefined) throw new Error(`The dialect ${name} has no such operation.`)
  return operation
}

/** The path of an operation. */
function pathTo({ table }: Dialect, operation: DialectOperation): string {
  const { prefix = '', parameters = {} } = table
  return (prefix + operation.path + taskQueryOf(operation)).replace(
    /\{(?!task_id)(\w+)(?:\.\.\.)?\}/g,
    (_, parameter: string) => parameters[parameter]?.[0] ?? 'any',
  )
}

async function read(sending: Promise<Response>): Promise<Answer> {
  const response = await sending.catch(() => Response.error())
  const answer = { status: response.status, headers: Object.fromEntries(response.headers) }
  try {
    return { ...answer, text: await response.text(), isCut: false }
  } catch {
    return { ...answer, text: '', isCut: true }
  }
}
