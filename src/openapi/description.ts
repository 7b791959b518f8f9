import type { Operation } from '../http/operation.js'
import type { ProblemCode } from '../http/problem.js'
import type { Schema } from './schema.js'

/** A parameter of the query, or a header. */
export interface ParameterDescription {
  readonly description: string
  readonly schema: Schema
}

/** What comes back, or what is sent. */
export interface ContentDescription {
  readonly description: string
  /** `application/json` unless given; none where there is no schema either. */
  readonly type?: string
  readonly schema?: Schema
  readonly example?: unknown
  readonly headers?: Readonly<Record<string, ParameterDescription>>
}

/** What a document says of one operation. */
export interface Description {
  /** With the names of its params in braces, as `/_sim/tasks/{id}`. */
  readonly path: string
  readonly tag: string
  /** A few words. */
  readonly summary: string
  /** Sentences, in Markdown. */
  readonly description?: string
  /** What stands in the braces of the path, by name. */
  readonly params?: Readonly<Record<string, ParameterDescription>>
  readonly query?: Readonly<Record<string, ParameterDescription>>
  readonly headers?: Readonly<Record<string, ParameterDescription>>
  readonly body?: {
    readonly schema: Schema
    /** By a few words on each. */
    readonly examples: Readonly<Record<string, unknown>>
    readonly optional?: boolean
  }
  /** By status. */
  readonly answers: Readonly<Record<string, ContentDescription>>
  /** The ways in which the operation is refused. */
  readonly errors?: readonly ProblemCode[]
}

/** Operations by their ids. */
export type Descriptions = Readonly<Partial<Record<Operation['id'], Description>>>
