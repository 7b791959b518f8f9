import type { Clock } from '../clock/clock.js'
import { digestOfBytes } from '../digest.js'
import type { Account, MemoryBudget } from '../memory/budget.js'
import { OverBudgetError } from '../memory/over-budget-error.js'
import { OccurrenceCounter } from '../occurrence-counter.js'
import { base62, type Chance } from '../random.js'
import type { Access } from './outputs.js'
import { UrlSigner } from './url-signer.js'

/** A file that a client sends. */
export interface NewUpload {
  /** The API key of the client. */
  readonly owner: string
  /** The name of the file; only its first 200 characters are kept. */
  readonly name: string
  /** Such as `image/png`; any other text counts as `application/octet-stream`. */
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** How long it is available, in milliseconds; as long as an output URL by default. */
  readonly lifetime?: number | undefined
}

/** A file that a client has sent. Times are epoch milliseconds. */
export interface Upload extends Omit<NewUpload, 'lifetime'> {
  /** 24 lower-case letters and digits. */
  readonly id: string
  /** The SHA-256 of the bytes, in lower-case hex. */
  readonly sha256: string
  readonly createdAt: number
  readonly expiresAt: number
  /** The number of the uploads of the same file that it is counted with. */
  readonly identity: number
}

/** The parts that {@link Uploads} needs. */
export interface UploadsParts {
  /** The simulator's clock. */
  readonly clock: Clock
  /** The source of ids. */
  readonly chance: Chance
  /** Limits the bytes of all uploads, together with everything else. */
  readonly budget: MemoryBudget
  /** The key that signs URLs. */
  readonly key: string
  /** The default lifetime, in milliseconds. */
  readonly lifetime: () => number
  /** The id of the sandbox, for the paths of its files. */
  readonly sandbox: string | undefined
}

/** The retained bytes of an upload without its content. */
const OVERHEAD = 1_000
const LONGEST_NAME = 200
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+=[\w.+-]+)*$/

/**
 * Keeps the files that clients send, and makes signed URLs for them. It evicts only expired files, and only if the
 * memory budget requires it.
 */
export class Uploads {
  readonly #parts: UploadsParts
  readonly #account: Account
  /** The oldest first. */
  readonly #uploads = new Map<string, Upload>()
  #occurrences: OccurrenceCounter
  /** Created on first use, because most simulators have no uploads. */
  #lazySigner: UrlSigner | undefined
  /** Changes with each reset, so that an upload in progress is not kept after the reset. */
  #generation = 0

  constructor(parts: UploadsParts) {
    this.#parts = parts
    this.#occurrences = new OccurrenceCounter(parts.chance)
    this.#account = parts.budget.open('uploads', () => this.#evictExpired())
  }

  /**
   * Keeps a file. The same file under the same name gets the same sequence of ids.
   * @throws OverBudgetError if it exceeds the memory budget
   */
  async add({
    owner,
    name,
    contentType,
    bytes,
    lifetime = this.#parts.lifetime(),
  }: NewUpload): Promise<Upload> {
    const generation = this.#generation
    const sha256 = await digestOfBytes(bytes)
    const file = { owner, name: shortened(name), contentType: validType(contentType), sha256 }
    const { id, identity } = this.#identify(file)
    const createdAt = this.#parts.clock.now()
    const upload = {
      ...file,
      id,
      identity,
      bytes: ownCopy(bytes),
      createdAt,
      expiresAt: createdAt + lifetime,
    }
    if (generation === this.#generation) this.#keep(upload)
    return upload
  }

  /** The upload with this id, of any owner, even if it has expired. */
  get(id: string): Upload | undefined {
    return this.#uploads.get(id)
  }

  /** The uploads of an API key, newest first. */
  list(owner: string): readonly Upload[] {
    return [...this.#uploads.values()].filter((upload) => upload.owner === owner).reverse()
  }

  /** @returns the deleted upload; undefined if there is none */
  delete(id: string): Upload | undefined {
    const upload = this.#uploads.get(id)
    if (upload === undefined) return undefined
    this.#uploads.delete(id)
    this.#occurrences.release(upload.identity)
    this.#account.add(-bytesOf(upload))
    return upload
  }

  /** The path of an upload, without origin and signature. In a sandbox, it contains the id of the sandbox. */
  pathOf({ id, name }: Upload): string {
    const { sandbox } = this.#parts
    return `/files/${sandbox === undefined ? '' : `${sandbox}/`}uploads/${id}/${encodeURIComponent(name)}`
  }

  /**
   * The signed URL of an upload, which is valid until the upload expires.
   * @param origin the start of the URL: scheme, host and mount path
   */
  urlOf(upload: Upload, origin: string): string {
    const path = this.pathOf(upload)
    return `${origin}${path}?${this.#signer.sign(path, upload.expiresAt)}`
  }

  /** Checks a request for an upload. */
  checkAccess(upload: Upload, path: string, query: URLSearchParams): Exclude<Access, 'gone'> {
    const now = this.#parts.clock.now()
    const result = this.#signer.verify(path, query, now)
    if (result === 'tampered') return 'tampered'
    return result === 'valid' && now < upload.expiresAt ? 'granted' : 'expired'
  }

  /** Deletes all uploads. */
  clear(): void {
    this.#generation += 1
    this.#uploads.clear()
    this.#occurrences = new OccurrenceCounter(this.#parts.chance)
    this.#account.clear()
  }

  /** Deletes all uploads, and releases its part of the memory budget. */
  close(): void {
    this.clear()
    this.#account.close()
  }

  get #signer(): UrlSigner {
    this.#lazySigner ??= new UrlSigner(this.#parts.key)
    return this.#lazySigner
  }

  #identify({ name, contentType, sha256 }: Pick<Upload, 'name' | 'contentType' | 'sha256'>) {
    const { seed, number } = this.#occurrences.retain(JSON.stringify([name, contentType, sha256]))
    const id = base62(seed.child(String(number)).stream('id'), 24).toLowerCase()
    return { id, identity: seed.fingerprint }
  }

  #keep(upload: Upload): void {
    const { budget } = this.#parts
    if (!budget.tryToFit(bytesOf(upload))) {
      this.#occurrences.release(upload.identity)
      throw new OverBudgetError(budget.limit)
    }
    this.#uploads.set(upload.id, upload)
    this.#account.add(bytesOf(upload))
  }

  #evictExpired(): boolean {
    const now = this.#parts.clock.now()
    for (const { id, expiresAt } of this.#uploads.values()) {
      if (expiresAt > now) continue
      this.delete(id)
      return true
    }
    return false
  }
}

function bytesOf({ bytes, name }: Upload): number {
  return OVERHEAD + name.length + bytes.length
}

/** Makes a name valid in a URL: dots alone would change the path, and half a character cannot be encoded. */
function shortened(name: string): string {
  const short = [...name]
    .slice(0, LONGEST_NAME)
    .join('')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
  return /^\.*$/.test(short) ? 'file' : short
}

function validType(contentType: string): string {
  return CONTENT_TYPE.test(contentType) ? contentType : 'application/octet-stream'
}

/** Copies a part of a larger buffer, which it would otherwise keep in memory as a whole. */
function ownCopy(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
}
