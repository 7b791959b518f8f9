import type { Clock } from '../clock/clock.js'
import { digestOfBytes } from '../digest.js'
import type { Events } from '../events.js'
import { type Account, type MemoryBudget, OverBudgetError } from '../memory/budget.js'
import { OccurrenceCounter } from '../occurrence-counter.js'
import { type Chance, drawWord } from '../random.js'
import { type AnnouncedUpload, type NewUpload, nameInUrl, type Upload, validType } from './upload.js'
import { neededFor, retainedBy, UploadParts } from './upload-parts.js'
import type { UploadUrls } from './upload-urls.js'

// They are loaded together.
export { UploadUrls } from './upload-urls.js'

/** The retained bytes of an upload without its content. */
const OVERHEAD = 1_000
const NO_BYTES = new Uint8Array(0)

/** Keeps the files that clients send. It evicts only expired files, and only if the memory budget requires it. */
export class Uploads {
  /** Their signed URLs. */
  readonly urls: UploadUrls
  /** Their bytes, in parts. */
  readonly parts: UploadParts
  /** How often each file occurred. */
  occurrences: OccurrenceCounter
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #budget: MemoryBudget
  readonly #events: Events
  readonly #lifetimeOf: (format: string | undefined) => number
  readonly #account: Account
  /** The oldest first. */
  readonly #uploads = new Map<string, Upload>()
  /** Changes with each reset, so that an upload in progress is not kept after the reset. */
  #generation = 0

  /**
   * @param chance the source of ids
   * @param budget limits the bytes of all uploads, together with everything else
   * @param lifetimeOf returns the default lifetime of a wire format's uploads, in milliseconds
   */
  constructor({
    clock,
    chance,
    budget,
    events,
    urls,
    lifetimeOf,
  }: {
    clock: Clock
    chance: Chance
    budget: MemoryBudget
    events: Events
    urls: UploadUrls
    lifetimeOf: (format: string | undefined) => number
  }) {
    this.#clock = clock
    this.#chance = chance
    this.#budget = budget
    this.#events = events
    this.urls = urls
    this.#lifetimeOf = lifetimeOf
    this.occurrences = new OccurrenceCounter(chance)
    this.#account = budget.open('uploads', () => this.#evictExpired())
    this.parts = new UploadParts(this.#account, (part) => events.emit('upload.part_changed', part))
  }

  /**
   * Keeps a file. The same file under the same name gets the same sequence of ids.
   * @throws OverBudgetError if it exceeds the memory budget
   */
  async add({ bytes, ...file }: NewUpload): Promise<Upload> {
    const generation = this.#generation
    const sha256 = await digestOfBytes(bytes)
    const upload = this.#create(file, { bytes: ownCopy(bytes), sha256, isAnnounced: false, isComplete: true })
    if (generation === this.#generation) this.#keep(upload)
    return upload
  }

  /**
   * Announces a file, whose bytes {@link receive} adds.
   * @throws OverBudgetError if it exceeds the memory budget
   */
  announce(file: AnnouncedUpload): Upload {
    const upload = this.#create(file, { bytes: NO_BYTES, sha256: '', isAnnounced: true, isComplete: false })
    this.#keep(upload)
    return upload
  }

  /**
   * Adds the bytes of an announced file, or replaces them.
   * @param contentType the type of the bytes; the announced one by default
   * @returns the complete upload; undefined if it was deleted in the meantime
   * @throws OverBudgetError if it exceeds the memory budget
   */
  async receive(
    { id }: Upload,
    bytes: Uint8Array<ArrayBuffer>,
    contentType?: string,
  ): Promise<Upload | undefined> {
    const sha256 = await digestOfBytes(bytes)
    const { parts } = this
    this.#makeRoom(neededFor(bytes) - retainedBy(parts.arrivedOf(id)))
    if (!this.#uploads.has(id)) return undefined
    const content = ownCopy(bytes)
    parts.delete(id)
    parts.add(id, content)
    const type = contentType === undefined ? {} : { contentType: validType(contentType) }
    return this.#complete(id, { bytes: content, sha256, ...type })
  }

  /**
   * Adds a part of an announced file, which stays incomplete until {@link finish}.
   * @returns false if it was deleted in the meantime
   * @throws OverBudgetError if it exceeds the memory budget
   */
  append({ id }: Upload, part: Uint8Array<ArrayBuffer>): boolean {
    this.#makeRoom(neededFor(part))
    const upload = this.#uploads.get(id)
    if (upload === undefined) return false
    this.parts.add(id, ownCopy(part))
    this.#events.emit('upload.changed', upload)
    return true
  }

  /**
   * Completes a file whose {@link parts} have arrived.
   * @returns the complete upload; undefined if it was deleted in the meantime
   */
  async finish({ id }: Upload): Promise<Upload | undefined> {
    const bytes = this.parts.join(id)
    const complete = this.#complete(id, { bytes, sha256: await digestOfBytes(bytes) })
    // A part may have arrived meanwhile.
    const isWhole = complete === undefined || bytes.length === this.parts.arrivedOf(id).size
    return isWhole ? complete : this.finish(complete)
  }

  /** Restores an upload of another process. Call it after the restoration of {@link occurrences} and {@link parts}. */
  restore(upload: Upload): void {
    this.occurrences.restore(upload.identity)
    this.#put(upload.isComplete ? { ...upload, bytes: this.parts.join(upload.id) } : upload)
  }

  /** All uploads, the oldest first. */
  all(): Iterable<Upload> {
    return this.#uploads.values()
  }

  /** The upload with this id, of any owner, even if it has expired. */
  get(id: string): Upload | undefined {
    return this.#uploads.get(id)
  }

  /** The upload for which an API key has chosen an id. */
  named(ownId: string, owner: string, dialect: string | undefined): Upload | undefined {
    for (const upload of this.#uploads.values())
      if (upload.ownId === ownId && upload.owner === owner && upload.dialect === dialect) return upload
    return undefined
  }

  /**
   * The uploads of an API key, newest first.
   * @param dialect their wire format; any if undefined
   */
  list(owner: string, dialect?: string): readonly Upload[] {
    const isWanted = (upload: Upload) =>
      upload.owner === owner && isShown(upload) && (dialect === undefined || upload.dialect === dialect)
    return [...this.#uploads.values()].filter(isWanted).reverse()
  }

  /** @returns the deleted upload; undefined if there is none */
  delete(id: string): Upload | undefined {
    const upload = this.#uploads.get(id)
    if (upload === undefined) return undefined
    this.#uploads.delete(id)
    this.occurrences.release(upload.identity)
    this.parts.delete(id)
    this.#account.add(-bytesOf(upload))
    this.#events.emit('upload.changed', upload)
    return upload
  }

  /** Deletes all uploads. */
  clear(): void {
    this.#generation += 1
    this.#uploads.clear()
    this.parts.clear()
    this.occurrences = new OccurrenceCounter(this.#chance)
    this.#account.clear()
  }

  /** Deletes all uploads, and releases its part of the memory budget. */
  close(): void {
    this.clear()
    this.#account.close()
  }

  #create(
    { lifetime, ...given }: AnnouncedUpload,
    content: Pick<Upload, 'bytes' | 'sha256' | 'isAnnounced' | 'isComplete'>,
  ): Upload {
    const name = nameInUrl(given.name)
    const contentType = validType(given.contentType)
    const { sha256 } = content
    const createdAt = this.#clock.now()
    return {
      ...given,
      ...content,
      ...this.#identify({ name, contentType, sha256 }),
      name,
      contentType,
      createdAt,
      readyAt: content.isComplete ? createdAt + (given.processing ?? 0) : undefined,
      expiresAt: createdAt + (lifetime ?? this.#lifetimeOf(given.dialect)),
    }
  }

  #complete(id: string, content: Partial<Upload>): Upload | undefined {
    const known = this.#uploads.get(id)
    if (known === undefined) return undefined
    const readyAt = this.#clock.now() + (known.processing ?? 0)
    const upload = { ...known, ...content, isComplete: true, readyAt }
    this.#uploads.set(id, upload)
    this.#events.emit('upload.changed', upload)
    return upload
  }

  /** @throws OverBudgetError if further bytes exceed the memory budget */
  #makeRoom(bytes: number): void {
    if (!this.#budget.tryToFit(bytes)) throw new OverBudgetError(this.#budget.limit)
  }

  #identify({ name, contentType, sha256 }: Pick<Upload, 'name' | 'contentType' | 'sha256'>) {
    const identity = JSON.stringify([name, contentType, sha256])
    const { seed, fingerprint, number } = this.occurrences.retain(identity)
    const id = drawWord(seed.child(String(number)).stream('id'), 24).toLowerCase()
    return { id, identity: fingerprint }
  }

  #keep(upload: Upload): void {
    try {
      this.#makeRoom(bytesOf(upload) + neededFor(upload.bytes))
    } catch (error) {
      this.occurrences.release(upload.identity)
      this.#events.emit('upload.changed', upload)
      throw error
    }
    this.parts.add(upload.id, upload.bytes)
    this.#put(upload)
    this.#events.emit('upload.changed', upload)
  }

  #put(upload: Upload): void {
    this.#uploads.set(upload.id, upload)
    this.#account.add(bytesOf(upload))
  }

  #evictExpired(): boolean {
    const now = this.#clock.now()
    for (const { id, expiresAt } of this.#uploads.values()) {
      if (expiresAt > now) continue
      this.delete(id)
      return true
    }
    return false
  }
}

/** Whether clients can see an upload: not while its parts arrive. */
export function isShown({ isInParts, isComplete }: Upload): boolean {
  return isComplete || isInParts !== true
}

/** The bytes that an upload retains, without its parts, which count by themselves. */
function bytesOf({ name, kept }: Upload): number {
  return OVERHEAD + name.length + (JSON.stringify(kept)?.length ?? 0)
}

/** Copies a part of a larger buffer, which it would otherwise keep in memory as a whole. */
function ownCopy(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
}
