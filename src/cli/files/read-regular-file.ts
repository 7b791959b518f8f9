import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { UsageError } from '../../engine/errors.js'

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
