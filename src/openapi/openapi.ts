/** A JSON Schema (2020-12), as OpenAPI 3.1 embeds it. */
export type OpenApiSchema = Readonly<Record<string, unknown>>

/** The subset of an OpenAPI 3.1 document that tasksim uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly OpenApiServer[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, OpenApiPath>>
  readonly webhooks?: Readonly<Record<string, OpenApiPath>> | undefined
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

interface OpenApiServer {
  readonly url: string
  readonly description?: string
}

/** The operations of a path, by lower-case method. */
export type OpenApiPath = Readonly<Record<string, OpenApiOperation>>

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: true
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, OpenApiMedia>>
  }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
}

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: OpenApiSchema
}

export interface OpenApiResponse {
  readonly description: string
  readonly headers?: Readonly<
    Record<string, { readonly description: string; readonly schema: OpenApiSchema }>
  >
  readonly content?: Readonly<Record<string, OpenApiMedia>>
}

export interface OpenApiMedia {
  readonly schema?: OpenApiSchema
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}
