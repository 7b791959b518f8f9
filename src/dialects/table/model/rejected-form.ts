import type { TextTemplate } from '../template/template.js'

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
