import { isJsonObject, type JsonObject, parseJson } from '../../../../src/engine/json.js'
import { answeredTask, answeredTasks } from '../../../../src/engine/tasks/answered-task.js'
import { isTerminal } from '../../../../src/engine/tasks/task.js'
import { headersFor, idIn, needsKey, SERVICES, type Service, withFile } from '../../../support/services.js'
import type { Place } from './places.js'

/** What a client does otherwise than a client without mistakes. */
export interface Habits {
  /** The number of tasks, which run at the same time. */
  readonly tasks: number
  /** Whether it waits for the webhook of a task, and polls only if it does not come. */
  readonly waitsForWebhook: boolean
  /** Whether it registers a webhook, if the service has webhooks. */
  readonly hasWebhook: boolean
  /** Milliseconds between two polls; by default, those of the service. */
  readonly interval: number | undefined
  /** How many polls it sends at once, as a client with several loops. */
  readonly pollsAtOnce: number
  /** Milliseconds after which it cancels a task. */
  readonly deadline: number
  /** What it does after a lost answer to a create request. */
  readonly afterLoss: 'looks' | 'retries' | 'throws'
  readonly pollTries: number
  /** Whether it gives up at a status that it does not know, as a client with types does. */
  readonly stopsAtUnknownStatus: boolean
  readonly honorsRetryAfter: boolean
  readonly retriesRejected: boolean
  readonly extraFields: JsonObject
  readonly forgets: boolean
  readonly pollsWebhookOnly: boolean
  /** Whether it cancels a task whose webhook does not come, and does not poll it. */
  readonly cancelsUnannounced: boolean
  /** Whether it reads a task that it could not cancel because the task had ended. */
  readonly readsAfterLateCancel: boolean
  readonly pollsAfterEnd: number
  readonly holds: boolean
  readonly fetchesResult: boolean
  readonly downloads: number
  /** Whether it downloads only the first file of a task. */
  readonly firstFileOnly: boolean
  /** Whether it does not download an output, but orders a second task with it. */
  readonly passesOn: boolean
  /** How often it repeats a download that fails. */
  readonly downloadTries: number
  /** Milliseconds between the end of a task and its download. */
  readonly storesUrlFor: number
  readonly altersUrl: boolean
  readonly sendsKeyToFiles: boolean
  readonly firstWithoutKey: boolean
  readonly otherPath: string | undefined
  readonly firstPageOnly: boolean
  readonly keepsUrl: boolean
  readonly accepts: 'genuine' | 'old_secret' | 'anything'
  readonly failsOnForm: boolean
  /** Whether it verifies a compact serialization of the body, and not its bytes. */
  readonly verifiesParsed: boolean
  readonly webhookAnswer: { readonly status: number; readonly after: number }
  readonly countsEachWebhook: boolean
}

const GOOD: Habits = {
  tasks: 1,
  waitsForWebhook: false,
  hasWebhook: true,
  interval: undefined,
  pollsAtOnce: 1,
  deadline: 30 * 60_000,
  afterLoss: 'looks',
  pollTries: 20,
  stopsAtUnknownStatus: false,
  honorsRetryAfter: true,
  retriesRejected: false,
  extraFields: {},
  forgets: false,
  pollsWebhookOnly: false,
  cancelsUnannounced: false,
  readsAfterLateCancel: true,
  pollsAfterEnd: 0,
  holds: false,
  fetchesResult: true,
  downloads: 1,
  firstFileOnly: false,
  passesOn: false,
  downloadTries: 5,
  storesUrlFor: 0,
  altersUrl: false,
  sendsKeyToFiles: false,
  firstWithoutKey: false,
  otherPath: undefined,
  firstPageOnly: false,
  keepsUrl: false,
  accepts: 'genuine',
  failsOnForm: false,
  verifiesParsed: false,
  webhookAnswer: { status: 204, after: 0 },
  countsEachWebhook: false,
}

/** The service of the README, which `SERVICES` lacks. */
const TASKS: Service = {
  origin: 'https://api.example.com',
  create: '/api/v1/tasks',
  body: { model: 'acme/image-1', input: { prompt: 'a lighthouse' } },
  hook: 'webhook_url',
  signs: true,
  task: (id) => `/api/v1/tasks/${id}`,
  list: '/api/v1/tasks?limit=1',
  interval: 1,
}

/** Paths that cancel a task, by the name of the dialect: the method and the path. */
const CANCEL: Readonly<Record<string, (id: string) => readonly [string, string]>> = {
  tasks: (id) => ['POST', `/api/v1/tasks/${id}/cancel`],
  replicate: (id) => ['POST', `/v1/predictions/${id}/cancel`],
  runway: (id) => ['DELETE', `/v1/tasks/${id}`],
  luma: (id) => ['DELETE', `/dream-machine/v1/generations/${id}`],
  fal: (id) => ['PUT', `/fal-ai/flux/requests/${id}/cancel`],
  runpod: (id) => ['POST', `/v2/flux-image/cancel/${id}`],
}

interface Answer {
  /** 0 without a readable answer. */
  readonly status: number
  readonly retryAfter: number
  readonly text: string
  readonly json: JsonObject | undefined
}

const NOTHING: Answer = { status: 0, retryAfter: 0, text: '', json: undefined }

/** The service has reported a failure, or was not available for long. */
class Failure extends Error {}

/** A client of any service. */
export class Client {
  readonly #habits: Habits
  readonly #known = new Set<string>()
  /** The texts of accepted webhooks, by the id of the task. */
  readonly #announced = new Map<string, string>()

  constructor(habits: Partial<Habits> = {}) {
    this.#habits = { ...GOOD, ...habits }
  }

  /** Orders, waits and downloads; a failure of the service is not a failure of the client. */
  readonly run = async (place: Place): Promise<void> => {
    const runs = Array.from({ length: this.#habits.tasks }, (_, index) => this.#generate(place, index))
    const results = await Promise.allSettled(runs)
    const { list } = serviceOf(place)
    if (this.#habits.firstPageOnly && list !== undefined) await this.#ask(place, 'GET', list)
    for (const result of results)
      if (result.status === 'rejected' && !(result.reason instanceof Failure)) throw result.reason
  }

  /** Receives a webhook. */
  readonly handle = async (request: Request, place: Place): Promise<Response> => {
    const { accepts, failsOnForm, verifiesParsed, webhookAnswer, countsEachWebhook } = this.#habits
    const body = new Uint8Array(await request.arrayBuffer())
    const verdict = await verify(request, verifiesParsed ? compact(body) : body, place)
    if (failsOnForm && verdict !== 'genuine') return new Response(null, { status: 500 })
    const isAccepted =
      accepts === 'anything' ||
      verdict === 'genuine' ||
      (accepts === 'old_secret' && verdict === 'old_secret')
    if (!isAccepted) return new Response(null, { status: 401 })
    // How fast a receiver answers is measured in real time.
    if (webhookAnswer.after > 0 && place.isReal) await place.sleep(webhookAnswer.after)
    const { status } = webhookAnswer
    if (status >= 300) return new Response(null, { status, headers: { location: `${place.hook}/` } })
    const text = new TextDecoder().decode(body)
    for (const { id, completedAt } of place.sim.tasks.all()) {
      if (!text.includes(id) || completedAt === undefined || !reportsEnd(text, place)) continue
      if (countsEachWebhook || !this.#announced.has(id))
        place.sim.observe('webhook.processed', { taskId: id })
      this.#announced.set(id, text)
    }
    return new Response(null, { status })
  }

  /** @param source the URL of the output from which the task is made */
  async #generate(place: Place, index: number, source = ''): Promise<void> {
    const habits = this.#habits
    const service = serviceOf(place)
    if (habits.firstWithoutKey) await this.#ask(place, 'POST', service.create, service.body, false)
    const created = await this.#create(place, index, source)
    const { id } = created
    if (habits.holds || habits.forgets) return
    const end = await this.#wait(place, id)
    if (habits.otherPath !== undefined) await this.#ask(place, 'GET', `${habits.otherPath}/${id}`)
    if (end === undefined) return
    const result =
      service.result === undefined || !habits.fetchesResult
        ? end
        : (await this.#insist(place, 'GET', service.result(id))).text
    if (habits.storesUrlFor > 0) await place.sleep(place.isReal ? 3_000 : habits.storesUrlFor)
    if (habits.keepsUrl) place.sim.observe('output.kept', { taskId: id, as: 'url' })
    const text = withFile(service, id, result)
    const [url] = urlsIn(text)
    if (habits.passesOn && source === '' && url !== undefined) return this.#generate(place, index, url)
    await this.#download(place, id, text)
  }

  async #create(place: Place, index: number, source: string): Promise<{ readonly id: string }> {
    const { afterLoss, extraFields, hasWebhook, holds } = this.#habits
    const service = serviceOf(place)
    const text = JSON.stringify(service.body).replace(
      /(a lighthouse|a horse|waves|injuries|the sea)/,
      `$1 ${index} ${source}`,
    )
    const hook = hasWebhook && service.hook !== undefined ? { [service.hook]: place.hook } : {}
    const body = { ...JSON.parse(text), ...hook, ...extraFields }
    const path =
      service.create + (hasWebhook && place.dialect.name === 'fal' ? `?fal_webhook=${place.hook}` : '')
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(place, 'POST', path, body, true, holds)
      const id = idIn(service, answer.json)
      if (id !== '') {
        this.#known.add(id)
        return { id }
      }
      const isLost = answer.status === 0 || (answer.status < 300 && answer.json === undefined)
      if (isLost && afterLoss === 'throws') throw new Failure('lost')
      const found = isLost && afterLoss === 'looks' ? await this.#find(place) : undefined
      if (found !== undefined) return { id: found }
      if (isLost && afterLoss === 'looks') throw new Failure('lost')
      await this.#recover(place, answer, attempt)
    }
  }

  /** Looks for a task whose create answer was lost: in the list, or in the webhooks. */
  async #find(place: Place): Promise<string | undefined> {
    const service = serviceOf(place)
    const adopt = (id: string | undefined) => {
      if (id !== undefined) this.#known.add(id)
      return id
    }
    if (service.list !== undefined) {
      const [path] = service.list.split('?')
      const { json = {} } = await this.#insist(place, 'GET', path ?? '')
      const ids = answeredTasks(json, place.dialect.answers).map(
        (task) => answeredTask(task, place.dialect.answers).id,
      )
      return adopt(ids.find((id) => id !== undefined && !this.#known.has(id)))
    }
    if (!hasHooks(place)) return undefined
    for (let wait = 0; wait < 60; wait++) {
      const id = [...this.#announced.keys()].find((announced) => !this.#known.has(announced))
      if (id !== undefined) return adopt(id)
      await place.sleep(1_000)
    }
    return undefined
  }

  /** The last answer about a task, or its webhook; undefined if the client has canceled it. */
  async #wait(place: Place, id: string): Promise<string | undefined> {
    const {
      deadline,
      pollTries,
      pollsAtOnce,
      pollsAfterEnd,
      waitsForWebhook,
      pollsWebhookOnly,
      cancelsUnannounced,
    } = this.#habits
    const service = serviceOf(place)
    const interval = this.#habits.interval ?? service.interval * 1_000
    const end = place.now() + deadline
    if ((waitsForWebhook || pollsWebhookOnly || cancelsUnannounced) && hasHooks(place)) {
      for (let wait = 0; wait < 10 && !this.#announced.has(id); wait++) await place.sleep(1_000)
      const announced = this.#announced.get(id)
      if (announced === undefined && cancelsUnannounced) return this.#cancel(place, id)
      if (announced !== undefined || pollsWebhookOnly) return announced
    }
    for (let failures = 0, late = 0; ; ) {
      if (failures === 0) await place.sleep(interval)
      const polls = Array.from({ length: pollsAtOnce }, () => this.#ask(place, 'GET', service.task(id)))
      const [answer = NOTHING] = await Promise.all(polls)
      if (answer.json === undefined) {
        failures += 1
        if (failures >= pollTries) throw new Failure(`${answer.status}`)
        await this.#recover(place, answer, failures)
        continue
      }
      failures = 0
      if (this.#habits.stopsAtUnknownStatus && statusOf(answer.json, place) === undefined)
        throw new Failure('unknown status')
      if (isEnd(answer.json, place) && ++late > pollsAfterEnd) return answer.text
      if (late === 0 && place.now() > end) return this.#cancel(place, id)
    }
  }

  /** Cancels a task. @returns the answer about a task that had ended before */
  async #cancel(place: Place, id: string): Promise<string | undefined> {
    const [method, path] = CANCEL[place.dialect.name]?.(id) ?? []
    if (method === undefined || path === undefined) return undefined
    for (let attempt = 1; ; attempt++) {
      const { status, retryAfter, json, text } = await this.#ask(place, method, path)
      const isRejected = status >= 400 && status < 429 && status !== 408
      const isAnswered = status === 204 || json !== undefined
      if (!isRejected && !isAnswered) {
        await this.#recover(place, { status, retryAfter, json, text }, attempt)
        continue
      }
      if (!this.#habits.readsAfterLateCancel) return undefined
      if (!isRejected) return json !== undefined && isEnd(json, place) ? text : undefined
      return (await this.#insist(place, 'GET', serviceOf(place).task(id))).text
    }
  }

  async #download(place: Place, id: string, text: string): Promise<void> {
    const { downloads, firstFileOnly, altersUrl } = this.#habits
    for (const url of firstFileOnly ? urlsIn(text).slice(0, 1) : urlsIn(text)) {
      for (let time = 0; time < downloads; time++) {
        const status = await this.#save(place, altersUrl ? url.replace(/\?.*/, '') : url)
        if (status !== 403 || altersUrl || this.#habits.storesUrlFor > 0) continue
        const service = serviceOf(place)
        const fresh = await this.#insist(place, 'GET', (service.result ?? service.task)(id))
        for (const [again] of fresh.text.matchAll(/https?:[^"\\]+?\/files\/[^"\\]*/g))
          await this.#save(place, again)
      }
    }
  }

  async #save(place: Place, url: string): Promise<number> {
    const service = serviceOf(place)
    const headers = this.#habits.sendsKeyToFiles || needsKey(url) ? headersFor(service) : {}
    for (let attempt = 1; ; attempt++) {
      const { status, retryAfter } = await this.#send(place, new Request(url, { headers }))
      const isTemporary = status === 0 || status === 429 || status >= 500
      if (!isTemporary || attempt > this.#habits.downloadTries) return status
      await place.sleep(this.#habits.honorsRetryAfter ? Math.max(retryAfter, 1_000) : 1_000)
    }
  }

  async #insist(place: Place, method: string, path: string): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(place, method, path)
      // The rejection of a result is the failure of its task.
      if (answer.json !== undefined || (answer.status >= 400 && answer.status < 429)) return answer
      await this.#recover(place, answer, attempt)
    }
  }

  /** Waits before the next attempt, if there is one. */
  async #recover(place: Place, { status, retryAfter }: Answer, attempt: number): Promise<void> {
    const { honorsRetryAfter, retriesRejected } = this.#habits
    const isTemporary = status === 0 || status === 408 || status === 429 || status >= 500 || status < 300
    if (!isTemporary && !(retriesRejected && attempt < 3)) throw new Failure(`${status}`)
    if (attempt > Math.max(20, this.#habits.pollTries)) throw new Failure(`${status}`)
    const backoff = Math.min(30_000, 1_000 * 2 ** (attempt - 1))
    await place.sleep(honorsRetryAfter ? Math.max(retryAfter, backoff) : 200)
  }

  async #ask(
    place: Place,
    method: string,
    path: string,
    body?: object,
    withKey = true,
    isHeld = false,
  ): Promise<Answer> {
    const service = serviceOf(place)
    const [origin, host] = [service.origin, service.host ?? '']
    const isOutside = path.startsWith('http')
    const headers = {
      ...headersFor(service, withKey ? undefined : ''),
      ...(isHeld && { prefer: 'wait=1' }),
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const url = isOutside ? path : place.urlOf(origin, host, path)
    return this.#send(place, new Request(url, init))
  }

  async #send(place: Place, request: Request): Promise<Answer> {
    const leave = new AbortController()
    const timeout = place.sleep(place.timeout).then(() => {
      leave.abort()
      return NOTHING
    })
    return Promise.race([read(place.send(new Request(request, { signal: leave.signal })), place), timeout])
  }
}

/** The URLs of the files in an answer. */
function urlsIn(text: string): string[] {
  return [...new Set(text.match(/https?:[^"\\]+?\/(?:files\/|[^"\\]+\/(?:content|audio))[^"\\]*/g))]
}

async function read(sending: Promise<Response>, place: Place): Promise<Answer> {
  try {
    const response = await sending
    if (response.type === 'error') return NOTHING
    const told = response.headers.get('retry-after') ?? '0'
    const retryAfter = Number(told) * 1_000 || Math.max(0, Date.parse(told) - place.date()) || 0
    const text = await response.text()
    const value = response.ok ? parseJson(text) : undefined
    const isAnswer = isJsonObject(value)
    return { status: response.status, retryAfter, text, json: isAnswer ? value : undefined }
  } catch {
    return NOTHING
  }
}

function serviceOf({ dialect }: Place): Service {
  const service = dialect.name === 'tasks' ? TASKS : SERVICES[dialect.name]
  if (service === undefined) throw new Error(`There is no service ${dialect.name}`)
  return service
}

function hasHooks(place: Place): boolean {
  return serviceOf(place).hook !== undefined || place.dialect.name === 'fal'
}

function statusOf(json: JsonObject, { dialect }: Place) {
  const [task = {}] = answeredTasks(json, dialect.answers)
  return answeredTask(task, dialect.answers).status
}

function isEnd(json: JsonObject, place: Place): boolean {
  const status = statusOf(json, place)
  return status !== undefined && isTerminal(status)
}

/** Whether a webhook reports the end of a task, and not its start. */
function reportsEnd(text: string, { dialect }: Place): boolean {
  const json = parseJson(text)
  if (!isJsonObject(json)) return false
  const { status } = answeredTask(json, dialect.answers)
  return status === undefined || isTerminal(status)
}

/** The JSON of a body without white space; the body itself if it is not JSON. */
function compact(body: Uint8Array): Uint8Array {
  const value = parseJson(new TextDecoder().decode(body))
  return value === undefined ? body : new TextEncoder().encode(JSON.stringify(value))
}

type Signature = 'genuine' | 'old_secret' | 'malformed' | 'wrong'

/** Verifies the signature of a webhook, if the service signs. */
async function verify(request: Request, body: Uint8Array, place: Place): Promise<Signature> {
  const { webhooks } = place
  const headers = Object.fromEntries(request.headers)
  if (Object.keys(webhooks.malformed).length === 0) return 'genuine'
  const message = webhooks.messageIn(headers, body as Uint8Array<ArrayBuffer>)
  if (message === undefined) return 'malformed'
  const isSignedWith = async (secret: string) => {
    const signed = await webhooks.sign(message, secret)
    return Object.entries(signed).every(([name, value]) => headers[name.toLowerCase()] === value)
  }
  const isRecent = !webhooks.signsTime || Math.abs(message.at - place.date()) < 5 * 60_000
  if (isRecent && (await isSignedWith(webhooks.secret))) return 'genuine'
  return (await isSignedWith(webhooks.previousSecret)) ? 'old_secret' : 'wrong'
}
