import type * as v from 'valibot'
import type { ProblemCode } from '../../exchange/problem.js'

/** The documentation of one operation, without its method and path. */
export interface OperationDescription {
  readonly tag: string
  /** A short phrase in the imperative. */
  readonly summary: string
  /** Sentences in Markdown. */
  readonly description?: string
  /** The description of each parameter in the path. */
  readonly params?: Readonly<Record<string, string>>
  /** The query parameters as an object schema. */
  readonly query?: v.GenericSchema
  /** The description of each request header. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyDescription
  /** The successful responses by status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>
  /** The error codes that the operation can respond with. */
  readonly errors?: readonly ProblemCode[]
  /** Whether the operation needs no API key. */
  readonly isPublic?: boolean
  /** Whether the faults of a scenario apply to it. */
  readonly canFault?: boolean
}

export interface BodyDescription {
  readonly schema: v.GenericSchema
  /** The examples, by short description. */
  readonly examples: Readonly<Record<string, unknown>>
  readonly optional?: boolean
  /** The media type of a body that is a text; JSON by default. */
  readonly type?: string
  /** False if the operation validates the body itself; true by default. */
  readonly validate?: boolean
}

export interface ResponseDescription {
  readonly description: string
  /** The name of a component; the response is JSON. */
  readonly json?: string
  /** The media type and schema of any other content. */
  readonly content?: { readonly type: string; readonly schema: Readonly<Record<string, unknown>> }
  readonly example?: unknown
  /** The description of each header. */
  readonly headers?: Readonly<Record<string, string>>
}
