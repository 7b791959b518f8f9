import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, statSync, type WriteStream } from 'node:fs'
import { isoTime } from '../../engine/clock/instants.js'
import { systemNow } from '../../engine/clock/system-clock.js'
import { UsageError } from '../../engine/errors.js'
import { readRecording } from '../../record/recording/read-recording.js'
import {
  RECORDING_VERSION,
  type RecordingEntry,
  type RecordingHeader,
} from '../../record/recording/recording.js'
import { lastLine } from '../files/read-file.js'
import { writeTextFile } from '../files/write-text-file.js'

const SALT_BYTES = 32

/** What a recording is of, and what it leaves out. */
export type RecordingSettings = Pick<RecordingHeader, 'dialect' | 'table' | 'upstream' | 'redact' | 'bodies'>

/** A recording to which entries are added. */
export class RecordingFile {
  readonly path: string
  readonly header: RecordingHeader
  /** Whether the file has entries of an earlier run. */
  readonly isContinued: boolean
  /** Whether the last line of an earlier run was incomplete, and is gone. */
  readonly isCut: boolean
  readonly #stream: WriteStream

  private constructor(
    path: string,
    { header, isContinued, isCut }: { header: RecordingHeader; isContinued: boolean; isCut: boolean },
  ) {
    this.path = path
    this.header = header
    this.isContinued = isContinued
    this.isCut = isCut
    this.#stream = createWriteStream(path, { flags: 'a' })
  }

  /**
   * Starts a recording, or continues one.
   * @throws UsageError if the file cannot be written, is not a recording, or is one of something else
   */
  static async open(path: string, settings: RecordingSettings): Promise<RecordingFile> {
    if (!existsSync(path) || statSync(path).size === 0)
      return new RecordingFile(path, { header: begin(path, settings), isContinued: false, isCut: false })
    const header = await headerOf(path)
    checkSame(path, header, settings)
    const { size } = statSync(path)
    lastLine(path)
    return new RecordingFile(path, { header, isContinued: true, isCut: statSync(path).size < size })
  }

  /** Adds an entry from which all secrets are removed. */
  append(entry: RecordingEntry): void {
    this.#stream.write(entryLine(entry))
  }

  /** Calls a function if the file cannot be written. */
  onError(report: (message: string) => void): void {
    this.#stream.on('error', ({ message }) => report(`Cannot write ${this.path}: ${message}`))
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#stream.once('close', resolve).end()
    })
  }
}

function begin(path: string, settings: RecordingSettings): RecordingHeader {
  const started_at = isoTime(systemNow())
  const line = headerLine({ ...settings, started_at, salt: randomBytes(SALT_BYTES).toString('hex') })
  // It contains inputs and outputs of tasks.
  writeTextFile(path, line, true)
  return JSON.parse(line)
}

async function headerOf(path: string): Promise<RecordingHeader> {
  const pieces = createReadStream(path, 'utf8')
  try {
    const { header } = await readRecording(pieces, { name: path, onIncomplete: () => {} })
    return header
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${error.message} To record to another file, change --out.`)
  } finally {
    pieces.destroy()
  }
}

/** @throws UsageError if a recording is of another service, or leaves out something else */
function checkSame(path: string, header: RecordingHeader, settings: RecordingSettings): void {
  const differences = [
    difference('dialect', header.dialect, settings.dialect),
    difference('upstream', header.upstream.join(' '), settings.upstream.join(' ')),
    difference('--redact', textOf(header.redact), textOf(settings.redact)),
    difference('--no-bodies', String(header.bodies === false), String(settings.bodies === false)),
  ].filter((each) => each !== undefined)
  if (differences.length === 0) return
  throw new UsageError(
    `${path} is a recording with other settings: ${differences.join('; ')}. Use the same settings, or another file.`,
  )
}

function difference(name: string, there: string, given: string): string | undefined {
  return there === given ? undefined : `${name} was ${there}, and is ${given}`
}

function textOf(places: readonly string[] = []): string {
  return places.length === 0 ? 'not given' : places.toSorted().join(' ')
}

/** Writes the first line of a recording. */
export function headerLine(header: Omit<RecordingHeader, 'tasksim' | 'version'>): string {
  // The reader recognizes a recording by its start.
  const whole: RecordingHeader = { tasksim: 'recording', version: RECORDING_VERSION, ...header }
  return `${JSON.stringify(whole)}\n`
}

/** Writes the line of an entry. It has no secrets only if a `Redactor` has made the entry. */
export function entryLine(entry: RecordingEntry): string {
  return `${JSON.stringify(entry)}\n`
}
