import { setTimeout as sleep } from 'node:timers/promises'
import { collect, create, type Service, wait } from './flow.js'
import { type Answer, type Call, Failure, type Http } from './http.js'

/** Several tasks at the same time; each one is reported. @throws Failure if one has failed */
export async function batch(services: readonly Service[], http: Http): Promise<void> {
  const { mistakes } = http
  const known = new Set<string>()
  const one = async (service: Service) => {
    const id = await create(service, http, known)
    await collect(service, http, id, await wait(service, http, id))
  }
  if (mistakes.has('leaves the others alone')) {
    const all = services.map(one)
    for (const each of all) await each
    return
  }
  if (mistakes.has('orders all anew')) {
    await Promise.all(services.map(one)).catch(() => Promise.all(services.map(one)))
    return
  }
  const results = await Promise.allSettled(services.map(one))
  const failed = results.filter(({ status }) => status === 'rejected')
  if (failed.length > 0 && !mistakes.has('reports no failures'))
    throw new Failure(`${failed.length} of ${services.length} tasks have failed.`)
}

/** A store of jobs, which outlives the process. */
type Store = { id?: string; state: 'new' | 'running' | 'done' }

/** A worker that stores what it knows, and resumes after a failure. @throws Failure if it does not end after some restarts */
export async function jobStore(service: Service, http: Http): Promise<void> {
  const { mistakes } = http
  const job: Store = { state: 'new' }
  const known = new Set<string>()
  const step = async () => {
    if (job.id === undefined || mistakes.has('resumes with a new task'))
      job.id = await create(service, http, known)
    job.state = 'running'
    await collect(service, http, job.id, await wait(service, http, job.id))
    job.state = 'done'
  }
  for (let restart = 0; restart < 3; restart++) {
    try {
      await step()
      return
    } catch (error) {
      if (mistakes.has('marks failed jobs as done')) return
      if (restart === 2 || /rejects|has (?:failed|canceled)|no output|in time/.test(String(error)))
        throw error
      await sleep(30_000)
    }
  }
}

/** Sees the states of its tasks in the list only. @throws Failure */
export async function byList(service: Service, http: Http): Promise<void> {
  const { mistakes } = http
  const id = await create(service, http)
  const end = Date.now() + 10 * 60_000
  for (;;) {
    await sleep(service.interval)
    const json = await http.insist(service.list as Call)
    const entry = service.entries?.(json).find((each) => service.idOf(each) === id)
    const state = entry === undefined ? 'unknown' : service.stateOf(entry)
    if (state === 'done') return collect(service, http, id, entry)
    if (state === 'failed' || state === 'canceled') {
      if (mistakes.has('failed is done')) return
      throw new Failure(`The task has ${state}.`)
    }
    if (Date.now() > end && !mistakes.has('no deadline')) throw new Failure('The task has not ended in time.')
  }
}

/** Like an SDK: one function that retries each request, also a create request, which it looks for first. @throws Failure */
export async function sdk(service: Service, http: Http): Promise<void> {
  const { mistakes } = http
  const request = async (call: Call): Promise<Answer['json']> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await http.once(call, 30_000 + 15_000)
      if (answer.json !== undefined) return answer.json
      await http.recover(answer, attempt)
    }
  }
  const id = mistakes.has('retries every request')
    ? (service.idOf(await request(service.create)) as string)
    : await create(service, http)
  await collect(service, http, id, await wait(service, http, id))
}

const RESPONSES = 'https://api.openai.com/v1/responses'

/** Reads the stream of a response, and polls when it breaks. @throws Failure */
export async function stream(
  prompt: string,
  http: Http,
  key: Readonly<Record<string, string>>,
  attempt = 1,
): Promise<void> {
  const { mistakes } = http
  const seen: { id?: string; text: string; isDone: boolean } = { text: '', isDone: false }
  const response = await fetch(RESPONSES, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'o3', input: prompt, background: true, stream: true }),
    ...(!mistakes.has('no timeout') && { signal: AbortSignal.timeout(10 * 60_000) }),
  }).catch(() => undefined)
  if (response === undefined || !response.ok) {
    if (mistakes.has('restarts the stream')) return stream(prompt, http, key)
    const passes = response?.status === 429 || response?.status === 503
    if (!passes || attempt >= 3 || mistakes.has('no retry'))
      throw new Failure(`No stream: ${response?.status}.`)
    await sleep((Number(response.headers.get('retry-after')) || 40) * 1_000)
    return stream(prompt, http, key, attempt + 1)
  }
  try {
    await readEvents(response, seen)
  } catch {
    if (mistakes.has('restarts the stream')) return stream(prompt, http, key)
  }
  if (mistakes.has('the end of the stream is the end')) return
  if (seen.isDone) return
  if (seen.id === undefined) throw new Failure('The stream broke before it named the response.')
  const service: Service = {
    create: { url: RESPONSES },
    idOf: ({ id }) => id,
    task: (id) => ({ url: `${RESPONSES}/${id}` }),
    stateOf: ({ status }) =>
      status === 'completed'
        ? 'done'
        : status === 'queued' || status === 'in_progress'
          ? 'running'
          : 'failed',
    outputOf: ({ output }) => output,
    interval: 2_000,
  }
  await collect(service, http, seen.id, await wait(service, http, seen.id))
}

async function readEvents(response: Response, seen: { id?: string; isDone: boolean }): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of response.body ?? []) {
    rest += decoder.decode(part, { stream: true })
    const events = rest.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined || data === '[DONE]') continue
      const { type, response: shown } = JSON.parse(data)
      if (shown?.id !== undefined) seen.id = shown.id
      if (type === 'response.failed' || type === 'response.incomplete')
        throw new Failure('The response has failed.')
      if (type === 'response.completed') seen.isDone = true
    }
  }
}
