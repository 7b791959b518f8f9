import { bytesOfHeaders } from '../memory/bytes-of.js'
import type { HeaderRecord, HeaderSource } from './header-record.js'

const NO_SECRETS: readonly string[] = []
/** The size of headers that only their host can read is estimated, because reading them would slow down each poll. */
const UNREAD_BYTES = 1_000

/** The headers of an exchange as they were sent, with their secrets. */
export interface SentHeaders {
  readonly request: HeaderSource
  readonly response: HeaderRecord
  /** The name of the header with the API key, in any case. */
  readonly keyHeader: string | undefined
  /** Further texts that no header may show as a whole. */
  readonly secrets: readonly string[]
}

/**
 * The headers of a request and of its answer. It keeps references to the headers as they were sent, and hands them only
 * to the function that masks their secrets, so that no log or JSON of it contains a secret.
 */
export class KeptHeaders {
  readonly #request: HeaderSource
  readonly #response: HeaderRecord
  readonly #keyHeader: string | undefined
  readonly #secrets: readonly string[]
  #bytes: number | undefined

  /**
   * @param keyHeader the name of the header that holds the API key
   * @param secrets further texts that no header may show as a whole
   */
  constructor(
    request: HeaderSource,
    response: HeaderRecord,
    keyHeader?: string | undefined,
    secrets: readonly string[] = NO_SECRETS,
  ) {
    this.#request = request
    this.#response = response
    this.#keyHeader = keyHeader
    this.#secrets = secrets
  }

  /** Calls a function with the headers as they were sent. Its result must contain no secret. */
  masked<Shown>(shown: (sent: SentHeaders) => Shown): Shown {
    return shown({
      request: this.#request,
      response: this.#response,
      keyHeader: this.#keyHeader,
      secrets: this.#secrets,
    })
  }

  /** The estimated memory, in bytes. */
  get bytes(): number {
    this.#bytes ??= bytesOfRequest(this.#request) + bytesOfHeaders(this.#response)
    return this.#bytes
  }
}

function bytesOfRequest(headers: HeaderSource): number {
  return Symbol.iterator in headers ? UNREAD_BYTES : bytesOfHeaders(headers)
}
