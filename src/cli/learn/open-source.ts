import { createReadStream, statSync } from 'node:fs'
import { UsageError } from '../../engine/errors.js'

/** A file of tasks, or the standard input. */
export interface Source {
  /** Its name in messages. */
  readonly name: string
  /** Bytes; undefined for the standard input. */
  readonly size: number | undefined
  readonly pieces: AsyncIterable<string>
}

const STDIN = '-'

/**
 * Opens a file, or the standard input for `-`.
 * @param onRead called with the number of bytes read so far
 * @throws UsageError if it cannot be read
 */
export function openSource(path: string, onRead: (source: Source, bytes: number) => void): Source {
  const source: Source = {
    name: path === STDIN ? 'the standard input' : path,
    size: path === STDIN ? undefined : sizeOf(path),
    pieces: decode(path, (bytes) => onRead(source, bytes)),
  }
  return source
}

/** Reads the first piece of a text, and returns it with the whole text. */
export async function peek(
  pieces: AsyncIterable<string>,
): Promise<{ readonly start: string; readonly all: AsyncIterable<string> }> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true) return { start: '', all: pieces }
  const start = first.value
  async function* all() {
    yield start
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { start, all: all() }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* decode(path: string, onRead: (bytes: number) => void): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  let bytes = 0
  try {
    const stream: AsyncIterable<Uint8Array> = path === STDIN ? process.stdin : createReadStream(path)
    for await (const chunk of stream) {
      bytes += chunk.length
      yield decoder.decode(chunk, { stream: true })
      onRead(bytes)
    }
  } catch (error) {
    throw isSystemError(error) ? unreadable(path, error) : error
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function unreadable(path: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException
  const reason =
    code === 'ENOENT'
      ? 'the file does not exist. Pass the path of a file with tasks, or - for the standard input.'
      : message
  return new UsageError(`Cannot read ${path}: ${reason}`)
}
