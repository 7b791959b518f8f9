import { componentIn, fieldsOf, formsOf, type TypeText, typeOf } from '../../src/openapi/fields.js'
import type {
  OpenApiDocument,
  OpenApiMedia,
  OpenApiOperation,
  OpenApiSchema,
} from '../../src/openapi/openapi.js'
import { anchorOf, block, code, page, table } from './markdown.js'

/** Generates a page of Markdown from a document. */
export function openApiReference(document: OpenApiDocument): string {
  const { info, tags, components } = document
  return page(
    info.title,
    info.description,
    ...tags.flatMap(({ name, description }) => [
      `## ${name}`,
      `${description}.`,
      ...operationsOf(document, name).map(([path, method, operation]) => section(path, method, operation)),
    ]),
    '## Schemas',
    ...Object.entries(components.schemas).map(
      ([name, schema]) => `### ${name} (schema)\n\n${schemaBlock(schema)}`,
    ),
  )
}

function operationsOf({ paths, webhooks = {} }: OpenApiDocument, tag: string) {
  return Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => [path, method, operation] as const),
  )
}

function section(path: string, method: string, operation: OpenApiOperation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  return [
    `### ${summary}`,
    code(`${method.toUpperCase()} ${path}`),
    ...(description === undefined ? [] : [description]),
    ...(parameters.length === 0
      ? []
      : [
          table(
            ['parameter', 'in', 'type', ''],
            parameters.map(({ name, in: place, schema, description }) => [
              code(name),
              place,
              typeText(typeOf(schema)),
              description,
            ]),
          ),
        ]),
    ...(requestBody === undefined ? [] : ['Body:', ...contentOf(requestBody.content)]),
    responseTable(responses),
    ...Object.values(responses).flatMap(({ content = {} }) => examplesOf(content)),
  ].join('\n\n')
}

function responseTable(responses: OpenApiOperation['responses']): string {
  return table(
    ['status', 'response', 'content'],
    Object.entries(responses).map(([status, { description, content = {} }]) => [
      status,
      description,
      Object.entries(content)
        .filter(([type]) => type !== 'application/problem+json')
        .map(([type, { schema }]) =>
          type === 'application/json' && schema ? typeText(typeOf(schema)) : type,
        )
        .join(', '),
    ]),
  )
}

function contentOf(content: Readonly<Record<string, OpenApiMedia>>): string[] {
  return [
    ...Object.values(content).flatMap(({ schema }) => (schema === undefined ? [] : [schemaBlock(schema)])),
    ...examplesOf(content),
  ]
}

function examplesOf(content: Readonly<Record<string, OpenApiMedia>>): string[] {
  return Object.values(content).flatMap(({ examples = {} }) =>
    Object.values(examples).map(({ value }) =>
      typeof value === 'string' ? block('text', value) : block('json', JSON.stringify(value, null, 2)),
    ),
  )
}

function schemaBlock(schema: OpenApiSchema): string {
  const forms = formsOf(schema)
  const isChoice = forms.length > 1 && forms.some((form) => componentIn(form) === undefined)
  return isChoice ? forms.map(formBlock).join('\n\nor\n\n') : formBlock(schema)
}

function formBlock(schema: OpenApiSchema): string {
  const fields = fieldsOf(schema)
  const description = String(schema['description'] ?? '')
  if (fields.length === 0) return [typeText(typeOf(schema)), description].filter(Boolean).join(': ')
  const rows = fields.map(({ name, type, isRequired, description }) => [
    code(name),
    `${typeText(type)}${isRequired ? '' : ', optional'}`,
    description,
  ])
  return [...(description === '' ? [] : [`${description}.`]), table(['field', 'type', ''], rows)].join('\n\n')
}

function typeText(type: TypeText): string {
  return type
    .map((part) =>
      typeof part === 'string' ? part : `[${part.component}](#${anchorOf(`${part.component} (schema)`)})`,
    )
    .join('')
}
