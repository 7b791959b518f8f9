import type { Template, TextTemplate } from '../template/template.js'

/** An operation with an answer. */
export interface Answered {
  /** The status of the answer. */
  readonly status?: number | undefined
  /** The body of the answer; the task by default. */
  readonly answer?: Template | undefined
}

/** Requests that a service rejects. */
export interface RejectedForm {
  /** A value that is neither missing nor null nor false; of a list, all values. */
  readonly if: TextTemplate | readonly TextTemplate[]
  readonly message: TextTemplate
  /** The field or parameter that is wrong. */
  readonly param?: string | undefined
  /** The status; 400 by default. */
  readonly status?: number | undefined
  /** The code in the words of the service. */
  readonly code?: string | undefined
}

/** The page size of a list. */
export interface PageSize {
  /** The query parameter; `limit` by default. */
  readonly parameter?: string | undefined
  /** 20 by default. */
  readonly default?: number | undefined
  /** 100 by default. */
  readonly max?: number | undefined
}

/** A list of items that are not tasks. */
export interface ItemListTable {
  /** The page size and its query parameter; all items are on one page by default. */
  readonly limit?: PageSize | undefined
  /** The query parameter with the id of the last item of the previous page. */
  readonly after?: string | undefined
}

/** The form of ids. */
export interface IdForm {
  readonly prefix?: string | undefined
  readonly suffix?: string | undefined
  readonly characters: 'uuid' | 'base62' | 'base36' | 'hex' | 'digits'
  /** The number of characters between prefix and suffix; no effect on a `uuid`. */
  readonly length?: number | undefined
}
