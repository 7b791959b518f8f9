import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync } from 'node:fs'
import { UsageError } from '../../engine/errors.js'
import { MAX_CHARACTERS } from '../../scenario/check/limits.js'

/**
 * Reads a text file of limited size. It rejects devices and pipes, which may never end.
 * @param maxBytes the maximum size
 * @throws UsageError if the file is larger or not a regular file; a system error if it cannot be read
 */
export function readRegularFile(path: string, maxBytes: number): string {
  // Check before opening, because opening a pipe waits for its writer.
  requireRegularFile(path)
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, maxBytes) + 1)
    const length = fill(bytes, file)
    if (length > maxBytes) throw new UsageError(`the file is larger than ${maxBytes} bytes`)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}

/** @throws UsageError if the path is a folder, a device or a pipe; a system error if it does not exist */
export function requireRegularFile(path: string): void {
  const stats = statSync(path)
  if (stats.isDirectory()) throw new UsageError('the path is a folder. Give the path of a file.')
  if (!stats.isFile())
    throw new UsageError('the path is a device or a pipe. Give the path of a regular file.')
}

function fill(bytes: Buffer, file: number): number {
  let length = 0
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null)
  return length
}

/** In bytes. */
const START = 2_000

/** The first characters of a file, which show its format; empty if it cannot be read. */
export function startOfFile(path: string): string {
  const start = new Uint8Array(START)
  try {
    // To open a pipe would block until somebody writes to it.
    requireRegularFile(path)
    const file = openSync(path, 'r')
    try {
      return new TextDecoder().decode(start.subarray(0, readSync(file, start)))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const MAX_BYTES = 3 * MAX_CHARACTERS

/**
 * Reads a file of YAML or JSON.
 * @param noun what the file contains, for errors
 * @param known what a name would stand for instead of a path, for errors
 * @throws UsageError if it cannot be read
 */
export function readTextFile(path: string, noun: string, known: string): string {
  try {
    return readRegularFile(path, MAX_BYTES)
  } catch (error) {
    throw new UsageError(`Cannot read the ${noun} ${path}: ${reason(error as NodeJS.ErrnoException, known)}`)
  }
}

function reason({ code, message }: NodeJS.ErrnoException, known: string): string {
  switch (code) {
    case 'ENOENT':
      return `the file does not exist. Give the path of a file, or ${known}.`
    case 'EACCES':
      return 'permission denied. Change the permissions of the file.'
    default:
      return message
  }
}

const CHUNK = 65_536
const NEWLINE = 0x0a

/** Reads the last complete line of a file, and removes an incomplete line after it, which a crash may leave. */
export function lastLine(path: string): string {
  const file = openSync(path, 'r+')
  try {
    const end = endOfLine(file, fstatSync(file).size)
    ftruncateSync(file, end)
    const start = endOfLine(file, end - 1)
    return String(readAt(file, start, Math.max(0, end - 1 - start)))
  } finally {
    closeSync(file)
  }
}

/** Where the last line that ends before a position ends; 0 if there is none. */
function endOfLine(file: number, before: number): number {
  for (let end = before; end > 0; end -= CHUNK) {
    const start = Math.max(0, end - CHUNK)
    const index = readAt(file, start, end - start).lastIndexOf(NEWLINE)
    if (index >= 0) return start + index + 1
  }
  return 0
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, position)
  return bytes
}
