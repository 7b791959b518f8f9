import type { Dialect } from '../../dialects/dialect.js'
import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import { systemNow } from '../../engine/clock/system-clock.js'
import { UsageError } from '../../engine/errors.js'
import { isHar, readHarEntry } from '../../record/exchanges/har.js'
import { ObservedTasks } from '../../record/exchanges/observed-tasks.js'
import { readRecorded } from '../../record/exchanges/recorded-entries.js'
import { checkHistory, isHistory } from '../../record/history/history-pages.js'
import {
  JsonElements,
  type OnSkipped,
  readElement,
  type SkippedEntry,
  splitElements,
} from '../../record/history/json-elements.js'
import type { ObservedTask } from '../../record/history/observed-task.js'
import { entryReader, readTasks } from '../../record/history/read-tasks.js'
import { Traffic } from '../../record/learn/traffic/traffic.js'
import { isRecording, readRecording, recordingDialect } from '../../record/recording/read-recording.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import { showProgress } from '../progress.js'
import { stopSignal } from '../signals.js'
import { openService, type ServiceSource } from './open-service.js'
import { openSource, peek, type Source } from './open-source.js'
import { type HistoryArguments, isServiceUrl } from './options.js'

const INTERRUPTED = 130

/**
 * Reads the history that the command line gives.
 * @param partial the file in which to keep the tasks of a service until the end, if `--history` gives none
 * @param use what to do with the tasks, and with the requests among which they were found
 * @throws UsageError if there are none
 */
export async function readHistory<Result extends { readonly tasks: number }>(
  args: HistoryArguments,
  partial: string | undefined,
  use: (tasks: AsyncIterable<ObservedTask>, traffic: Traffic) => Promise<Result>,
): Promise<{ result: Result; name: string }> {
  const { limit, strict } = args
  const since = args.since === undefined ? undefined : readSince(args.since, systemNow())
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new CommandLineError(`--limit must be a whole number from 1 up; got ${limit}.`)
  const { dialect: given } = await loadGivenDialect(args.dialect)
  const interruption = new AbortController()
  const source = open(args, given, partial, interruption.signal)
  if (isService(source)) void stopSignal().then(() => interruption.abort())
  const skipped = new SkippedEntries(source.name, strict)
  const isGiven = args.dialect !== undefined
  const { dialect, tasks, traffic } = await openTasks(source, given, isGiven, (entry) => skipped.add(entry))
  const selection = { since, limit, isNewestFirst: isService(source) }
  const result = await use(selectTasks(tasks, selection), traffic)
  if (interruption.signal.aborted) endInterrupted(source)
  skipped.end()
  if (result.tasks === 0) throw withoutTasks(source, dialect)
  return { result, name: source.name }
}

/** The tasks of a source, and the requests among which they were found, complete after the tasks were read. */
interface OpenTasks {
  readonly dialect: Dialect
  readonly tasks: AsyncIterable<ObservedTask>
  readonly traffic: Traffic
}

/** Opens the tasks in a source. Its first characters determine its form; a recording also names its dialect. */
async function openTasks(
  source: Source | ServiceSource,
  given: Dialect,
  isGiven: boolean,
  onSkipped: OnSkipped,
): Promise<OpenTasks> {
  const { name } = source
  const { start, all } = await peek(source.pieces)
  if (isRecording(start)) {
    const { header, entries } = await readRecording(all, { name, onIncomplete: onSkipped })
    const dialect = isGiven ? given : await recordingDialect(header, name)
    if (dialect.name !== header.dialect)
      throw new CommandLineError(
        `${name} is a recording of the dialect ${header.dialect}, but --dialect is ${dialect.name}. Omit --dialect.`,
      )
    const traffic = new Traffic(dialect)
    return { dialect, traffic, tasks: readRecorded(entries, dialect, traffic) }
  }
  const traffic = new Traffic(given)
  if (isHar(start)) return { dialect: given, traffic, tasks: readHar(all, given, onSkipped, traffic) }
  const listName = given.answers.list
  const isFile = !isService(source) && isHistory(start)
  const pieces = isFile ? checkHistory(all, { dialect: given.name, listName }, name) : all
  const tasks = readTasks(pieces, { readEntry: entryReader(given), listName, onSkipped })
  return { dialect: given, traffic, tasks }
}

function open(
  { source, key, history }: HistoryArguments,
  dialect: Dialect,
  partial: string | undefined,
  signal: AbortSignal,
): Source | ServiceSource {
  if (isServiceUrl(source)) {
    const show = showProgress({ command: 'learn', total: undefined, unit: 'tasks read' })
    return openService({ base: source, dialect, key, historyPath: history ?? partial, signal }, show)
  }
  let show: ReturnType<typeof showProgress> | undefined
  return openSource(source, ({ size }, bytes) => {
    show ??= showProgress({ command: 'learn', total: size, unit: 'bytes read' })
    show(bytes)
  })
}

function isService(source: Source | ServiceSource): source is ServiceSource {
  return 'file' in source
}

function endInterrupted(source: Source | ServiceSource): never {
  const file = isService(source) ? source.file : undefined
  const advice =
    file === undefined
      ? ''
      : ` The tasks read so far are in ${file.path}. Run the same command again to continue.`
  process.stderr.write(`tasksim learn: interrupted.${advice}\n`)
  process.exit(INTERRUPTED)
}

function withoutTasks({ name }: Source, dialect: Dialect): UsageError {
  return new UsageError(
    `There are no tasks in ${name}. Expected tasks as the list of the dialect ${dialect.name} returns them (JSON Lines, a JSON list, or pages of the list), or a HAR file or a recording with requests that create, poll or list tasks. Set --dialect to the service that the tasks are from.`,
  )
}

const MOST_SHOWN = 5

/** Reports entries of a history that are not tasks: the first few, and how many there are. */
class SkippedEntries {
  #count = 0

  /** @param isStrict whether the first entry is an error */
  constructor(
    readonly source: string,
    readonly isStrict: boolean,
  ) {}

  /** @throws UsageError if it is strict */
  add({ line, message }: SkippedEntry): void {
    const text = `${this.source}:${line}: ${message}`
    if (this.isStrict) throw new UsageError(`${text}\nCorrect the entry, or omit --strict to skip it.`)
    this.#count += 1
    if (this.#count <= MOST_SHOWN) process.stderr.write(`tasksim: skipped ${text}\n`)
  }

  /** Reports how many there are. */
  end(): void {
    const hidden = this.#count - MOST_SHOWN
    if (hidden > 0)
      process.stderr.write(
        `tasksim: skipped ${hidden.toLocaleString('en')} more. --strict makes this an error.\n`,
      )
  }
}

/** Which tasks of a history to use. */
interface Selection {
  /** Epoch milliseconds: tasks that were created earlier are ignored. */
  readonly since: number | undefined
  readonly limit: number | undefined
  /** Whether the newest tasks come first, so that tasks after an ignored one are ignored, too. */
  readonly isNewestFirst: boolean
}

/** Selects tasks of a history. It stops reading once no further task can be selected. */
async function* selectTasks(
  tasks: AsyncIterable<ObservedTask>,
  { since = -Infinity, limit = Infinity, isNewestFirst }: Selection,
): AsyncGenerator<ObservedTask, void, void> {
  let count = 0
  for await (const task of tasks) {
    if (task.createdAt >= since) {
      yield task
      count += 1
    } else if (isNewestFirst) return
    if (count >= limit) return
  }
}

/**
 * Reads `--since`: a time, or a duration before now.
 * @throws CommandLineError if it is neither
 */
function readSince(text: string, now: number): number {
  const ago = readDuration(text)
  const time = ago === undefined ? Date.parse(text) : now - ago
  if (!Number.isNaN(time)) return time
  throw new CommandLineError(
    `--since must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z, or ${DURATION_FORM}; got ${JSON.stringify(text)}.`,
  )
}

/**
 * Reads the tasks in a HAR file that arrives in pieces: those that its requests create, poll and list.
 * @param traffic gets all requests
 */
export async function* readHar(
  pieces: AsyncIterable<string>,
  dialect: Dialect,
  onSkipped: OnSkipped,
  traffic?: Traffic,
): AsyncGenerator<ObservedTask, void, void> {
  const observed = new ObservedTasks(dialect)
  for await (const element of splitElements(pieces, new JsonElements('entries', 2))) {
    const exchange = readElement(element, readHarEntry, onSkipped)
    if (exchange === undefined) continue
    observed.add(exchange)
    traffic?.add(exchange)
  }
  yield* observed.tasks()
}
