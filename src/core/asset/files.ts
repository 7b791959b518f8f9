import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Task } from '../task/task.js'
import { filePath, ownFileOf } from './asset.js'
import type { Renderer } from './renderer.js'

/** A file that was rendered. */
export interface RenderedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Names these bytes and no others: a strong entity tag, quotes included. */
  readonly etag: string
}

/** In bytes. */
const USUAL_CAPACITY = 64 * 1024 * 1024

/**
 * Hands out the files of tasks: each is rendered when it is fetched first, once, however many fetch it at that time.
 * What was rendered is kept, up to a number of bytes, and what has not been fetched for the longest goes first.
 */
export class Files {
  readonly #renderer: Renderer
  readonly #capacity: number
  /** In the order of the last fetch. */
  readonly #kept = new Map<string, RenderedFile>()
  readonly #underWay = new Map<string, Promise<RenderedFile>>()
  #bytes = 0

  constructor(renderer: Renderer, capacity = USUAL_CAPACITY) {
    this.#renderer = renderer
    this.#capacity = capacity
  }

  /** @returns the file at once where it is kept */
  get(task: Task, file: number): RenderedFile | Promise<RenderedFile> {
    const key = keyOf(task, file)
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept
    }
    const underWay = this.#underWay.get(key) ?? this.#render(key, task, file)
    this.#underWay.set(key, underWay)
    return underWay
  }

  /** Forgets what was rendered for a task. */
  forget(task: Task): void {
    for (let file = 0; file < (task.result?.files ?? 0); file++) this.#drop(keyOf(task, file))
  }

  async #render(key: string, task: Task, file: number): Promise<RenderedFile> {
    try {
      const bytes = await this.#renderer.render(task, file)
      const rendered = { bytes, etag: await etagOf(bytes) }
      this.#keep(key, rendered)
      return rendered
    } finally {
      this.#underWay.delete(key)
    }
  }

  #keep(key: string, rendered: RenderedFile): void {
    if (rendered.bytes.length > this.#capacity) return
    this.#kept.set(key, rendered)
    this.#bytes += rendered.bytes.length
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#capacity) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes.length ?? 0
    this.#kept.delete(key)
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
