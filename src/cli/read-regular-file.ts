import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { UsageError } from '../engine/errors.js'

/**
 * Reads a text file of a bounded size. A device or a pipe may have no end, or nobody may ever write into it.
 * @param most how many bytes it may have
 * @throws UsageError where it is larger, or no regular file; an error of the system where it cannot be read
 */
export function readRegularFile(path: string, most: number): string {
  // Before it is opened: to open a pipe is to wait for its writer.
  requireRegularFile(path)
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, most) + 1)
    const length = fill(bytes, file)
    if (length > most) throw new UsageError(`it is larger than ${most} bytes`)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}

/** @throws UsageError where a path leads to a folder, a device or a pipe; an error of the system where it leads nowhere */
export function requireRegularFile(path: string): void {
  const stats = statSync(path)
  if (stats.isDirectory()) throw new UsageError('it is a folder. Give the path of a file in it.')
  if (!stats.isFile()) throw new UsageError('it is a device or a pipe. Give the path of a regular file.')
}

function fill(bytes: Buffer, file: number): number {
  let length = 0
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null)
  return length
}
