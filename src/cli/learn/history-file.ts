import { appendFileSync, createReadStream, existsSync, statSync } from 'node:fs'
import type { SeenPage } from '../../dialects/reading/list-pages.js'
import { UsageError } from '../../engine/errors.js'
import type { JsonObject } from '../../engine/json.js'
import {
  checkHistory,
  type HistoryService,
  historyLine,
  readHistoryLine,
} from '../../record/history/history-pages.js'
import { lastLine } from '../files/read-file.js'

/** Only the user may read a history: it contains the inputs of tasks. */
const PRIVATE = 0o600

/** The service of a history. */
interface Origin extends HistoryService {
  readonly origin: string
  /** The API key, which the file must not contain. */
  readonly key: string
  /** Removes secrets from tasks. */
  readonly redact: (tasks: readonly JsonObject[]) => readonly JsonObject[]
}

/** In place of the API key in URLs. */
const KEY_MARK = 'TASKSIM-API-KEY'

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

  /** The text of the file. Reading it throws a UsageError at a line that is not a page of the service. */
  read(): AsyncIterable<string> {
    return checkHistory(createReadStream(this.path, 'utf8'), this.#of, this.path)
  }

  /**
   * The URL of the first page that is not in the file; undefined if the file has the whole history.
   * @throws UsageError if this is not such a file, or if it belongs to another service
   */
  nextUrl(): string | undefined {
    const { dialect, origin, key } = this.#of
    const { next } = readHistoryLine(lastLine(this.path), this.#of, `${this.path}: the last line`)
    if (next === null) return undefined
    if (new URL(next).origin === origin) return next.replaceAll(KEY_MARK, encodeURIComponent(key))
    throw new UsageError(
      `${this.path} has the history of ${dialect} at ${new URL(next).origin}, not at ${origin}. Delete it to start again, or choose another file with --history.`,
    )
  }

  /** Adds a page without its secrets. @returns its line */
  append({ tasks, next }: SeenPage): string {
    const { key, redact } = this.#of
    const url = next?.url ?? null
    const kept = key === '' || url === null ? url : url.replaceAll(encodeURIComponent(key), KEY_MARK)
    const line = historyLine(this.#of, redact(tasks), kept)
    appendFileSync(this.path, line, { mode: PRIVATE })
    return line
  }
}
