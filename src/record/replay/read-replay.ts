import type { Dialect } from '../../dialects/dialect.js'
import { findOperation } from '../../dialects/reading/find-operation.js'
import { fromBase64 } from '../../engine/base64.js'
import { counted } from '../../engine/counted.js'
import type { RecordedFile } from '../../engine/tasks/recorded-answers.js'
import { parseScenario } from '../../scenario/read-text.js'
import type { Scenario } from '../../scenario/scenario.js'
import { ObservedTasks } from '../exchanges/observed-tasks.js'
import { seenEntry } from '../exchanges/recorded-entries.js'
import type { ObservedTask } from '../history/observed-task.js'
import { learn } from '../learn/learn.js'
import { type ReadingOptions, readRecording, recordingDialect } from '../recording/read-recording.js'
import type { ExchangeEntry, FileEntry, RecordingEntry, RecordingHeader } from '../recording/recording.js'
import { writeScenario } from '../scenario/write-scenario.js'
import { OrderKeys } from './order-keys.js'
import { Recorded } from './recorded-tasks.js'
import type { RecordedBase } from './rewrite.js'
import { Traces } from './traces.js'

/**
 * Reads a recording as a scenario. A request that was recorded gets the recorded task, and other requests get tasks that
 * behave as learned from the recording.
 * @throws UsageError if the text is not a valid recording
 */
export async function readReplay(pieces: AsyncIterable<string>, options: ReadingOptions): Promise<Scenario> {
  const recording = await readRecording(pieces, options)
  const { header } = recording
  const entries: RecordingEntry[] = []
  for await (const entry of recording.entries) entries.push(entry)
  const dialect = await recordingDialect(header, options.name)
  const exchanges = entries.filter((entry): entry is ExchangeEntry => entry.type === 'exchange')
  const tasks = observedTasks(dialect, entries)
  const scenario = await learnedScenario(tasks, options.name)
  return {
    ...scenario,
    description: `recording of ${counted(tasks.length, 'task')} in the format of ${dialect.name}`,
    dialects: { ...scenario.dialects, ...ownDialect(header) },
    recorded: recordedTasks({ dialect, header, entries, exchanges, tasks }),
  }
}

/** The tasks of a recording, in the order in which they were seen first. */
function observedTasks(dialect: Dialect, entries: readonly RecordingEntry[]): readonly ObservedTask[] {
  const observed = new ObservedTasks(dialect)
  for (const entry of entries) if (entry.type !== 'file') observed.add(seenEntry(entry))
  return [...observed.tasks()]
}

/** What the tasks teach, without limits: the recorded tasks have waited already. */
async function learnedScenario(tasks: readonly ObservedTask[], name: string): Promise<Scenario> {
  const learned = await learn(each(tasks))
  if (learned.models.length === 0) return parseScenario('', name)
  const scenario = parseScenario(writeScenario({ ...learned, limits: [] }, name), name)
  return { ...scenario, expect: [] }
}

async function* each(tasks: readonly ObservedTask[]): AsyncGenerator<ObservedTask, void, void> {
  yield* tasks
}

function ownDialect({ dialect, table }: RecordingHeader): Scenario['dialects'] {
  return table === undefined ? {} : { [dialect]: { table } }
}

/** The parts of a recording. */
interface Parts {
  readonly dialect: Dialect
  readonly header: RecordingHeader
  readonly entries: readonly RecordingEntry[]
  readonly exchanges: readonly ExchangeEntry[]
  readonly tasks: readonly ObservedTask[]
}

function recordedTasks({ dialect, header, entries, exchanges, tasks }: Parts): Recorded {
  const traces = new Traces(dialect)
  for (const entry of exchanges) traces.add(entry)
  for (const entry of entries) if (entry.type === 'webhook') traces.addWebhook(entry)
  const files = new Map(entries.flatMap((entry) => (entry.type === 'file' ? [fileOf(entry)] : [])))
  const bases = recordedBases(dialect, exchanges)
  const isOperation = (url: string) => findOperation(dialect, { method: 'GET', url }) !== undefined
  const context = { bases, files, isOperation, salt: header.salt }
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const recorded = new Recorded(dialect.name, new OrderKeys(header.salt, traces.uploads))
  for (const order of traces.all) {
    const task = 'id' in order ? byId.get(order.id) : undefined
    if (!('id' in order)) recorded.addRejection(order, context)
    else if (task !== undefined) recorded.add(order, task, context)
  }
  return recorded
}

function fileOf({ url, content_type, base64 }: FileEntry): [url: string, file: RecordedFile] {
  return [url, { contentType: content_type, bytes: fromBase64(base64) ?? new Uint8Array(0) }]
}

/**
 * The starts of the URLs of a service in a recording: those of its own hosts, and those at which it was reached, such as
 * `https://gateway.example.com/luma`.
 */
export function recordedBases(dialect: Dialect, entries: readonly ExchangeEntry[]): readonly RecordedBase[] {
  const bases = new Map(dialect.hosts.map(({ origin, path }) => [origin, path]))
  for (const { request } of entries) {
    const url = new URL(request.url)
    if (bases.has(url.origin)) continue
    const route = findOperation(dialect, { method: request.method, url })?.route
    if (route === undefined) continue
    const start = url.origin + url.pathname.slice(0, startOf(route, url.pathname))
    for (const { path } of dialect.hosts) bases.set(start + path, path)
    if (!bases.has(start)) bases.set(start, '')
  }
  return [...bases]
    .map(([url, path]) => ({ url, path }))
    .sort((one, other) => other.url.length - one.url.length)
}

/** Where the path of a route starts in a longer path: at its first segment if that is constant, else by their number. */
function startOf(route: string, path: string): number {
  const [first] = /^(?:\/[^/{]+)+/.exec(route) ?? []
  if (first !== undefined) return Math.max(0, path.indexOf(first))
  const segments = path.split('/')
  const before = Math.max(0, segments.length - route.split('/').length)
  return segments.slice(0, before + 1).join('/').length
}
