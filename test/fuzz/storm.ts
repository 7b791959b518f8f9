import fc from 'fast-check'
import type { ApiRequest, Reply } from '../../src/exchange/exchange.js'
import { answer } from '../../src/hosts/api.js'
import { type AnsweredRequest, createSimulator, type Simulator } from '../../src/index.js'
import { type WildRequest, wildRequest } from './requests.js'

/** The number of requests between two resets. A reset ends those that wait for the clock. */
const BATCH = 200

/** The result of a run. */
export interface StormResult {
  readonly statuses: ReadonlyMap<number, number>
  /** The failures, each with the request that caused it. */
  readonly failures: readonly string[]
}

/** Creates a simulator without a network, whose files take no time to render. */
export function stormySimulator(): Simulator {
  return createSimulator({
    clock: 'manual',
    patience: '5ms',
    transport: async ({ url }) => ({ status: url.length % 2 === 0 ? 204 : 500 }),
    renderer: { render: async () => new Uint8Array(10) },
  })
}

/**
 * Sends generated requests through {@link answer}, each one when all before it are answered or wait for the clock. The
 * same seed generates the same requests.
 */
export async function storm(
  count: number,
  seed: number,
  sim: Simulator = stormySimulator(),
): Promise<StormResult> {
  const statuses = new Map<number, number>()
  const failures: string[] = []
  sim.on('error', (error) => failures.push(`error event: ${error instanceof Error ? error.stack : error}`))
  const asked = new Set<string>()
  sim.on('request.answered', (request) => note(request, asked))
  for (let done = 0; done < count; done += BATCH) {
    const batch = fc.sample(wildRequest, { numRuns: Math.min(BATCH, count - done), seed: seed + done })
    const sandbox = sim.createSandbox()
    sandbox.sim.on('request.answered', (request) => note(request, asked))
    const { id } = await sim.tasks.create({
      owner: 'sk_live_local',
      model: 'm',
      input: {},
      webhookUrl: undefined,
      origin: '',
    })
    const names = { $task: id, $sandbox: sandbox.identity.id, $key: sandbox.identity.key }
    const unanswered = new Set<Promise<void>>()
    for (const wild of batch) {
      const answered = Promise.resolve(answer(sim, requestOf(filled(wild, names))))
        .then(
          async (reply) => {
            statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
            await readBriefly(reply)
            if (reply.status >= 500 && !asked.has(reply.headers['x-request-id'] ?? '') && !isExpected(reply))
              failures.push(`${reply.status} ${reply.body}\n${describe(wild)}`)
          },
          (error) => void failures.push(`thrown: ${error}\n${describe(wild)}`),
        )
        .finally(() => unanswered.delete(answered))
      unanswered.add(answered)
      await until(() => unanswered.size <= waitingAnswersIn(sim))
    }
    sim.sandboxes.clear()
    await sim.reset()
    await Promise.all(unanswered)
    asked.clear()
  }
  return { statuses, failures }
}

/** Resolves when a condition holds, which is checked after each turn of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

/** Returns the number of answers that wait for the clock of a simulator or one of its sandboxes. */
export function waitingAnswersIn({ waitingAnswers, sandboxes }: Simulator): number {
  return sandboxes.list().reduce((sum, { sim }) => sum + sim.waitingAnswers, waitingAnswers)
}

/** Records a 5xx that a fault of the scenario or a directive requested. */
function note({ id, fault }: AnsweredRequest, asked: Set<string>): void {
  if (fault !== undefined) asked.add(id)
}

/** Returns whether a status is expected: a full queue may answer 503 if the scenario says so. */
function isExpected({ status, body }: Reply): boolean {
  return status === 503 && String(body).includes('"unavailable"')
}

/** Reads a little of a body in chunks, and disconnects. */
async function readBriefly({ transmission }: Reply): Promise<void> {
  if (transmission === undefined || !('pieces' in transmission)) return
  const iterator = transmission.pieces[Symbol.asyncIterator]()
  if (transmission.isEndless) await iterator.next()
  await iterator.return?.()
}

/** Replaces placeholders by existing ids. */
export function filled(wild: WildRequest, names: Readonly<Record<string, string>>): WildRequest {
  const put = (text: string) => text.replace(/\$(?:task|sandbox|key)/g, (name) => names[name] ?? name)
  const headers = Object.fromEntries(Object.entries(wild.headers).map(([name, value]) => [name, put(value)]))
  return { ...wild, path: put(wild.path), headers }
}

function requestOf({ method, path, query, headers, body }: WildRequest): ApiRequest {
  return {
    method,
    path,
    query,
    origin: 'http://localhost',
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    body: async (limit) => (body.length <= limit ? body : undefined),
  }
}

/** Describes a request so that a reader can send it again. */
export function describe({ method, path, query, headers, body }: WildRequest): string {
  return `${method} ${path}?${query} ${JSON.stringify(headers)} ${new TextDecoder().decode(body)}`
}
