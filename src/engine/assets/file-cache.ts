import { digestOfBytes } from '../digest.js'
import type { MemoryBudget } from '../memory/budget.js'
import { ByteCache } from '../memory/caches.js'
import type { Task } from '../tasks/task.js'
import type { Renderer } from './asset.js'
import { filePath, pictureOf, scenarioFileOf } from './asset.js'
import { IMAGE_FORMATS } from './media-spec.js'

/** A rendered file. */
export interface RenderedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** A strong entity tag, including the quotes. */
  readonly etag: string
}

/** A text with the files of a task, which is the same as long as all of the given values are. */
export interface FileText {
  readonly text: string
  /** The text in UTF-8: sending it takes a third of the time of sending the text. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly given: readonly unknown[]
  /** Until when it is the same, in epoch milliseconds. */
  readonly until: number
}

/** The default capacity, in bytes. */
const CAPACITY = 64 * 1024 * 1024

/**
 * Renders the files of tasks on demand and caches them. Concurrent requests for a file share one rendering. The cache
 * evicts the least recently used files first.
 */
export class FileCache {
  readonly #renderer: Renderer
  /** The last text with the files of each task, by the id of the task: writing one takes longer than sending it. */
  readonly texts: ByteCache<FileText>
  readonly #cache: ByteCache<RenderedFile>
  readonly #pending = new Map<string, Promise<RenderedFile>>()

  /** @param capacity of the cache, in bytes */
  constructor(renderer: Renderer, budget: MemoryBudget, capacity = CAPACITY) {
    this.#renderer = renderer
    this.#cache = new ByteCache(budget, 'files', capacity)
    this.texts = new ByteCache(budget, 'files', capacity)
  }

  /** @returns the file, or a promise if it must be rendered first */
  get(task: Task, file: number): RenderedFile | Promise<RenderedFile> {
    const key = keyOf(task, file)
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    const pending = this.#pending.get(key) ?? this.#render(key, task, file)
    this.#pending.set(key, pending)
    return pending
  }

  /** Deletes the cached files of a task, the pictures of them, and the text with them. */
  delete(task: Task): void {
    if (!this.texts.isEmpty) this.texts.delete(task.id)
    // Most suites never download a file, and the keys cost more than all else that the end of a task needs.
    if (this.#cache.isEmpty) return
    const { files = 0 } = task.result ?? {}
    for (let file = 0; file < files; file++) this.#cache.delete(keyOf(task, file))
    if (files > 0) for (const format of IMAGE_FORMATS) this.#cache.delete(keyOf(pictureOf(task, format), 0))
  }

  /** Deletes all files and stops caching: each later request renders its file. */
  close(): void {
    this.#cache.close()
    this.texts.close()
  }

  async #render(key: string, task: Task, file: number): Promise<RenderedFile> {
    try {
      const bytes = task.plan.recorded?.file(file)?.bytes ?? (await this.#renderer.render(task, file))
      const rendered = { bytes, etag: `"${(await digestOfBytes(bytes)).slice(0, 32)}"` }
      this.#cache.set(key, rendered, bytes.length)
      return rendered
    } finally {
      this.#pending.delete(key)
    }
  }
}

/** After a reset, a task may have the same id with another media spec or another file of the scenario. */
function keyOf(task: Task, file: number): string {
  const spec = task.media === undefined ? '' : Object.values(task.media).join(' ')
  return [filePath(task, file), spec, scenarioFileOf(task, file)].join('\0')
}
