import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, Failure, type Http, isAmbiguous } from './http.js'

/** How a client talks to a service. */
export interface Service {
  readonly create: Call
  readonly idOf: (json: Answer['json']) => string | undefined
  /** Waits for the webhook of a task whose id is not known, where the service has no list. */
  readonly announced?: () => Promise<string | undefined>
  /** Lists what was created lately, where the service offers it. */
  readonly list?: Call
  readonly entries?: (json: Answer['json']) => readonly Answer['json'][]
  /** Whether an entry of the list is of this order. */
  readonly isMine?: (entry: Answer['json']) => boolean
  readonly task: (id: string) => Call
  readonly stateOf: (json: Answer['json']) => 'running' | 'done' | 'failed' | 'canceled' | 'unknown'
  /** Where the result is, if the task does not show it. */
  readonly result?: (id: string) => Call
  readonly outputOf: (json: Answer['json'], id: string) => unknown
  readonly filesOf?: (output: Answer['json'], id: string) => readonly string[]
  readonly fileHeaders?: Readonly<Record<string, string>>
  readonly interval: number
  readonly cancel?: (id: string) => Call
}

const DEADLINE = 10 * 60_000
/** Longer than a task of the default scenario takes. */
const EARLY = 12_000

/** Creates a task, waits for it, and collects its result. @throws Failure */
export async function generate(service: Service, http: Http): Promise<void> {
  const id = await create(service, http)
  await collect(service, http, id, await wait(service, http, id))
}

/** Creates a task. If it may have been created without an answer, looks for it first. @throws Failure */
export async function create(service: Service, http: Http, known: Set<string> = new Set()): Promise<string> {
  const { mistakes } = http
  for (let attempt = 1; ; attempt++) {
    const since = Date.now()
    const answer = await http.once(service.create, mistakes.has('impatient') ? 10_000 : undefined)
    const created = answer.json && service.idOf(answer.json)
    if (created !== undefined) {
      known.add(created)
      return created
    }
    const isBlind = mistakes.has('blind retry') || mistakes.has('impatient')
    if (isAmbiguous(answer) && !isBlind) {
      const announced = mistakes.has('no look-up') ? undefined : await service.announced?.()
      if (announced !== undefined) return announced
      if (service.list === undefined && service.announced === undefined)
        throw new Failure('It is not known whether the task was created.')
      if (mistakes.has('no look-up')) throw new Failure('No answer.')
      const found = service.list && (await find(service, http, since, known))
      if (found !== undefined) return found
    }
    await http.recover(answer, attempt)
  }
}

async function find(
  { list, entries, isMine, idOf }: Service,
  http: Http,
  since: number,
  known: Set<string>,
): Promise<string | undefined> {
  const json = await http.insist(list as Call)
  const found = (entries?.(json) ?? [])
    .filter((entry) => http.mistakes.has('finds any task') || isMine?.(entry))
    .filter((entry) => createdAt(entry) >= since - 1_000)
    .map((entry) => idOf(entry))
    .find((id) => id !== undefined && (http.mistakes.has('finds any task') || !known.has(id)))
  if (found !== undefined) known.add(found)
  return found
}

function createdAt({ created_at: at, created = at }: Answer['json']): number {
  return typeof created === 'number' ? created * 1_000 : Date.parse(created)
}

/** Polls a task until it is done. @throws Failure if it fails, or at the deadline */
export async function wait(service: Service, http: Http, id: string): Promise<Answer['json']> {
  const { mistakes } = http
  const end = Date.now() + (mistakes.has('no deadline') ? Infinity : DEADLINE)
  const early = Date.now() + (mistakes.has('gives up early') ? EARLY : Infinity)
  for (;;) {
    await sleep(service.interval)
    const json = await poll(service, http, id)
    const state = mistakes.has('no answer is the end') && json === undefined ? 'done' : service.stateOf(json)
    if (state === 'done') return json
    if (state === 'failed' && mistakes.has('failed is done')) return json
    if (state === 'canceled' && mistakes.has('canceled is done')) return json
    if (state === 'unknown' && mistakes.has('unknown is done')) return json
    if (state === 'failed' || state === 'canceled') throw new Failure(`The task has ${state}.`)
    if (Date.now() > early) throw new Failure('The task takes too long.')
    if (Date.now() <= end) continue
    if (mistakes.has('the deadline is the end')) return json
    if (service.cancel !== undefined) await http.insist(service.cancel(id)).catch(() => {})
    throw new Failure('The task has not ended in time.')
  }
}

async function poll(service: Service, http: Http, id: string): Promise<Answer['json']> {
  if (http.mistakes.has('no answer is the end')) return (await http.once(service.task(id))).json
  if (!http.mistakes.has('recreates after a failed poll')) return http.insist(service.task(id))
  const answer = await http.once(service.task(id))
  if (answer.json !== undefined) return answer.json
  return wait(service, http, await create(service, http))
}

/** The mistakes of a client that takes any end for a success. */
const NEEDS_NO_OUTPUT = /^needs no output$| is (?:done|the end)$/

/** Fetches the result of a task, and its files. @throws Failure if there is none */
export async function collect(
  service: Service,
  http: Http,
  id: string,
  ended: Answer['json'],
): Promise<void> {
  const { mistakes } = http
  const shown = service.result === undefined ? ended : await http.insist(service.result(id))
  let output = service.outputOf(shown, id)
  if (output === undefined || output === null) {
    if ([...mistakes].some((mistake) => NEEDS_NO_OUTPUT.test(mistake))) return
    throw new Failure('The task has no output.')
  }
  const count = service.filesOf?.(output, id).length ?? 0
  if (service.filesOf !== undefined && count === 0) throw new Failure('The output has no files.')
  for (let index = 0; index < count; index++) {
    for (let attempt = 1; ; attempt++) {
      const url = service.filesOf?.(output, id)[index]
      if (url === undefined) throw new Failure('A file has gone.')
      if ((await http.download(url, service.fileHeaders)) !== undefined) break
      if (attempt > 1) throw new Failure('The URL of the file has expired.')
      output = service.outputOf(await http.insist((service.result ?? service.task)(id)), id)
    }
  }
}
