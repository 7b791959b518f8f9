import type { Dialect } from '../../dialects/dialect.js'
import { firstPage, type ListForm, listForms } from '../../dialects/reading/list-pages.js'
import { startTimer, systemNow } from '../../engine/clock/system-clock.js'
import { UsageError } from '../../engine/errors.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { fetchPages, type Network } from '../../record/history/fetch-pages.js'
import { Redactor } from '../../record/recording/redact/redactor.js'
import { HistoryFile } from './history-file.js'
import type { Source } from './open-source.js'

/** Whose list to read, and how. */
export interface ServiceOptions {
  /** The base URL of the service. */
  readonly base: string
  readonly dialect: Dialect
  readonly key: string | undefined
  /** Where to keep the pages, so that an interrupted run can be continued; nowhere if undefined. */
  readonly historyPath: string | undefined
  /** Ends reading. */
  readonly signal: AbortSignal
}

/** A list that is read from a service. */
export interface ServiceSource extends Source {
  /** The file with the pages; undefined if they are not kept. */
  readonly file: HistoryFile | undefined
}

/**
 * Opens the list of a service, from the newest task to the oldest. Pages that an interrupted run has kept are not
 * requested again.
 * @param onRead called with the number of tasks read so far
 * @throws UsageError if the service has no list, or the kept pages belong to another service
 */
export function openService(options: ServiceOptions, onRead: (tasks: number) => void): ServiceSource {
  const { base, dialect, key = '', historyPath } = options
  const { origin, pathname } = urlOf(base)
  const [form] = listForms(dialect)
  if (form === undefined) throw withoutList(dialect)
  const of = {
    dialect: dialect.name,
    listName: dialect.answers.list,
    origin,
    key,
    redact: (tasks: readonly JsonObject[]) => withoutSecrets(tasks, { dialect, origin, key }),
  }
  const file = historyPath === undefined ? undefined : new HistoryFile(historyPath, of)
  return { name: origin + pathname, size: undefined, file, pieces: readPieces(options, form, file, onRead) }
}

async function* readPieces(
  { base, dialect, key = '', signal }: ServiceOptions,
  form: ListForm,
  file: HistoryFile | undefined,
  onRead: (tasks: number) => void,
): AsyncGenerator<string, void, void> {
  let request = firstPage(dialect, form, { base, key })
  if (file?.isStarted) {
    const url = file.nextUrl()
    process.stderr.write(`tasksim learn: continues after the pages in ${file.path}\n`)
    yield* file.read()
    if (url === undefined) return
    request = { ...request, url }
  }
  let count = 0
  for await (const page of fetchPages(dialect, form, request, networkOf(signal))) {
    count += page.tasks.length
    onRead(count)
    yield file?.append(page) ?? JSON.stringify({ [dialect.answers.list]: page.tasks })
  }
}

function networkOf(signal: AbortSignal): Network {
  return {
    fetch,
    signal,
    now: systemNow,
    wait: (milliseconds) =>
      new Promise((resolve) => {
        startTimer(milliseconds, resolve, true)
        signal.addEventListener('abort', () => resolve(), { once: true })
      }),
    onRetry: (reason, wait) =>
      process.stderr.write(`tasksim learn: ${reason} Trying again in ${Math.ceil(wait / 1_000)} s.\n`),
  }
}

function urlOf(base: string): URL {
  try {
    return new URL(base)
  } catch {
    throw new UsageError(
      `${JSON.stringify(base)} is not a URL. Pass one such as https://api.example.com/api/v1.`,
    )
  }
}

function withoutList({ name }: Dialect): UsageError {
  return new UsageError(
    `The API of ${name} does not list tasks. Export the requests of your app as a HAR file, and pass its path.`,
  )
}

const SHORTEST_KEY = 4
const KEY_MARK = '[API key]'

/** Removes keys, tokens and the signatures of URLs from tasks, as recordings do. */
function withoutSecrets(
  tasks: readonly JsonObject[],
  { dialect, origin, key }: { readonly dialect: Dialect; readonly origin: string; readonly key: string },
): JsonObject[] {
  // A new one for each page: it remembers every secret that it has seen.
  const redactor = new Redactor(dialect, { upstream: [origin], salt: '' })
  const redacted = redactor.requestBody([...tasks])
  const text = JSON.stringify(redacted)
  const mark = JSON.stringify(KEY_MARK).slice(1, -1)
  const kept: JsonValue =
    key.length < SHORTEST_KEY ? redacted : JSON.parse(text.replaceAll(JSON.stringify(key).slice(1, -1), mark))
  return Array.isArray(kept) ? kept.filter(isJsonObject) : []
}
