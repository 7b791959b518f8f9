import { existsSync, readFileSync } from 'node:fs'
import { readHar } from '../../src/cli/learn/read-history.js'
import { Dialects } from '../../src/dialects/dialects.js'
import type { JsonObject } from '../../src/engine/json.js'
import { readRecorded } from '../../src/record/exchanges/recorded-entries.js'
import type { ObservedTask } from '../../src/record/history/observed-task.js'
import type { Traffic } from '../../src/record/learn/traffic/traffic.js'
import { readRecording } from '../../src/record/recording/read-recording.js'

/** A task in a fixture, as it really was: times are ISO 8601. */
export interface ActualTask {
  readonly id: string
  readonly model: string
  readonly status: string
  readonly created: string
  /** Missing if the exchanges do not show it. */
  readonly started?: string
  readonly ended?: string
  readonly error?: { readonly code?: string; readonly message: string }
  readonly cost?: number
}

/** The HAR file of a client of a service, in `fixtures/histories`. */
export interface HistoryFixture {
  readonly dialect: string
  readonly text: string
  readonly entries: readonly JsonObject[]
  readonly tasks: readonly ActualTask[]
  /** Keys, tokens and signatures that the exchanges contain. */
  readonly secrets: readonly string[]
}

/** Whether there is a recording of a client of a dialect. */
export function hasHistory(dialect: string): boolean {
  return existsSync(`fixtures/histories/${dialect}.har`)
}

/** Reads a fixture. HAR allows fields of one's own that start with `_`. */
export function historyFixture(dialect: string): HistoryFixture {
  const text = readFileSync(`fixtures/histories/${dialect}.har`, 'utf8')
  const { entries, _tasks: tasks, _secrets: secrets } = JSON.parse(text).log
  return { dialect, text, entries, tasks, secrets }
}

/** The tasks that are read from a HAR file, and why entries were skipped. */
export async function observe(history: Pick<HistoryFixture, 'dialect' | 'text'>, traffic?: Traffic) {
  const [tasks, skipped]: [ObservedTask[], string[]] = [[], []]
  const dialect = await new Dialects().load(history.dialect)
  const read = readHar(piecesOf(history.text), dialect, ({ message }) => skipped.push(message), traffic)
  for await (const task of read) tasks.push(task)
  return { tasks, skipped }
}

/** The tasks that are read from the text of a recording. */
export async function observeRecording(text: string, traffic?: Traffic): Promise<ObservedTask[]> {
  const options = { name: 'run.jsonl', onIncomplete: () => {} }
  const { header, entries } = await readRecording(piecesOf(text), options)
  const tasks: ObservedTask[] = []
  for await (const task of readRecorded(entries, await new Dialects().load(header.dialect), traffic))
    tasks.push(task)
  return tasks
}

/** A text as a stream. */
export async function* piecesOf<Piece>(...pieces: readonly Piece[]): AsyncGenerator<Piece, void, void> {
  yield* pieces
}
