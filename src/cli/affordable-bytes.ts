import { getHeapStatistics } from 'node:v8'
import { DEFAULT_KEEP_BYTES } from '../engine/memory/keep-bytes.js'

/** How many bytes to keep unless told otherwise: no more than half of the heap that this process may use. */
export function affordableBytes(): number {
  return Math.min(DEFAULT_KEEP_BYTES, Math.floor(getHeapStatistics().heap_size_limit / 2))
}
