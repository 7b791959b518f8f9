import { closeSync, openSync, readSync } from 'node:fs'
import { requireRegularFile } from './read-regular-file.js'

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
