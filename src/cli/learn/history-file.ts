import { appendFileSync, createReadStream, existsSync, statSync } from 'node:fs'
import type { SeenPage } from '../../dialects/reading/list-pages.js'
import { UsageError } from '../../engine/errors.js'
import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { lastLine } from './last-line.js'

/** The version of the format of lines. */
const VERSION = 1
/** Only the user may read a history: it contains the inputs of tasks. */
const PRIVATE = 0o600

/** The service of a history. */
interface Origin {
  readonly dialect: string
  /** The field of a page with its tasks. */
  readonly listName: string
  readonly origin: string
}

/** A file with the pages of a list that were read so far: one page per line, with the URL of the next page. */
export class HistoryFile {
  readonly #of: Origin

  constructor(
    readonly path: string,
    of: Origin,
  ) {
    this.#of = of
  }

  /** Whether the file has any pages. */
  get isStarted(): boolean {
    return existsSync(this.path) && statSync(this.path).size > 0 && lastLine(this.path) !== ''
  }

  /** The text of the file. */
  read(): AsyncIterable<string> {
    return createReadStream(this.path, 'utf8')
  }

  /**
   * The URL of the first page that is not in the file; undefined if the file has the whole history.
   * @throws UsageError if this is not such a file, or if it belongs to another service
   */
  nextUrl(): string | undefined {
    const { dialect, origin } = this.#of
    const { tasksim_history: version, dialect: own, next } = this.#lastPage()
    const isOwn = version === VERSION && own === dialect
    if (isOwn && next === null) return undefined
    if (isOwn && typeof next === 'string' && new URL(next).origin === origin) return next
    throw new UsageError(
      `${this.path} does not end with a page of the history of ${dialect} at ${origin}. Delete it to start again, or choose another file with --history.`,
    )
  }

  /** Adds a page. @returns its line */
  append({ tasks, next }: SeenPage): string {
    const { dialect, listName } = this.#of
    const page = { tasksim_history: VERSION, dialect, next: next?.url ?? null, [listName]: tasks }
    const line = `${JSON.stringify(page)}\n`
    appendFileSync(this.path, line, { mode: PRIVATE })
    return line
  }

  #lastPage(): JsonObject {
    try {
      const page = JSON.parse(lastLine(this.path))
      return isJsonObject(page) ? page : {}
    } catch {
      return {}
    }
  }
}
