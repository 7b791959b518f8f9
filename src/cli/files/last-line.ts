import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

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
