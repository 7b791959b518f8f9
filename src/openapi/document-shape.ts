import type { Schema } from './schema.js'

/** An OpenAPI 3.1 document, as far as ours make use of the specification. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly ServerShape[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathShape>>
  readonly webhooks?: Readonly<Record<string, PathShape>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

interface ServerShape {
  readonly url: string
  readonly description?: string
}

/** The operations of a path, by lower-case method. */
export type PathShape = Readonly<Record<string, OperationShape>>

export interface OperationShape {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly ParameterShape[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, MediaShape>>
  }
  readonly responses: Readonly<Record<string, ResponseShape>>
}

export interface ParameterShape {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}

export interface ResponseShape {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>
  readonly content?: Readonly<Record<string, MediaShape>>
}

export interface MediaShape {
  readonly schema?: Schema
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}
