import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { MemoryBudget } from '../memory/budget.js'
import { ByteCache } from '../memory/byte-cache.js'
import type { Task } from '../tasks/task.js'
import { filePath, ownFileOf } from './asset.js'
import type { Renderer } from './renderer.js'

/** A file that was rendered. */
export interface RenderedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Names these bytes and no others: a strong entity tag, quotes included. */
  readonly etag: string
}

/** In bytes. */
const CAPACITY = 64 * 1024 * 1024

/**
 * Serves the files of tasks: each is rendered at its first fetch, once, however many clients fetch it at that time.
 * Rendered files are cached up to a number of bytes; the least recently fetched ones are evicted first.
 */
export class Files {
  readonly #renderer: Renderer
  readonly #cache: ByteCache<RenderedFile>
  readonly #underWay = new Map<string, Promise<RenderedFile>>()

  /** @param capacity of the cache, in bytes */
  constructor(renderer: Renderer, budget: MemoryBudget, capacity = CAPACITY) {
    this.#renderer = renderer
    this.#cache = new ByteCache(budget, 'files', capacity)
  }

  /** @returns the file; a promise only if it must be rendered first */
  get(task: Task, file: number): RenderedFile | Promise<RenderedFile> {
    const key = keyOf(task, file)
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    const underWay = this.#underWay.get(key) ?? this.#render(key, task, file)
    this.#underWay.set(key, underWay)
    return underWay
  }

  /** Forgets what was rendered for a task. */
  forget(task: Task): void {
    for (let file = 0; file < (task.result?.files ?? 0); file++) this.#cache.delete(keyOf(task, file))
  }

  /** Forgets all files; further ones are rendered at each fetch. */
  close(): void {
    this.#cache.close()
  }

  async #render(key: string, task: Task, file: number): Promise<RenderedFile> {
    try {
      const bytes = await this.#renderer.render(task, file)
      const rendered = { bytes, etag: await etagOf(bytes) }
      this.#cache.set(key, rendered, bytes.length)
      return rendered
    } finally {
      this.#underWay.delete(key)
    }
  }
}

/** After a reset an id may come back with another order, or as another scenario wants it. */
function keyOf(task: Task, file: number): string {
  const order = task.media === undefined ? '' : Object.values(task.media).join(' ')
  return [filePath(task, file), order, ownFileOf(task, file)].join('\0')
}

/** A hash of more bytes than this would stall requests; where the platform can, it makes it in a thread of its own. */
const MOST_AT_ONCE = 65_536

async function etagOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { crypto }: { crypto?: Partial<typeof globalThis.crypto> } = globalThis
  const subtle = bytes.length > MOST_AT_ONCE ? crypto?.subtle : undefined
  const digest = subtle === undefined ? sha256(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes))
  return `"${bytesToHex(digest.subarray(0, 16))}"`
}
