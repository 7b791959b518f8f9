/** The form of ids. */
export interface IdForm {
  readonly prefix?: string | undefined
  readonly suffix?: string | undefined
  readonly characters: 'uuid' | 'base62' | 'base36' | 'hex' | 'digits'
  /** The number of characters between prefix and suffix; no effect on a `uuid`. */
  readonly length?: number | undefined
}
