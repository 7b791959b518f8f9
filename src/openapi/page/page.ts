import { toBase64 } from '../../engine/base64.js'
import { sha256 } from '../../engine/sha256.js'
import type { OpenApiDocument, OpenApiOperation } from '../openapi.js'
import { Html, html, prose } from './html.js'
import { operationAnchor, operationBlock } from './operation.js'
import { schemaAnchor, schemaBlock } from './schema.js'
import { STYLE } from './style.js'

/** The hash of the style. The content security policy of the page accepts only this style. */
export const STYLE_HASH = `sha256-${toBase64(sha256(new TextEncoder().encode(STYLE)))}`

interface Documents {
  readonly service: OpenApiDocument
  readonly control: OpenApiDocument
  /** The names of all dialects, each of which has a document. */
  readonly dialects: readonly string[]
  /** The token in the URL of the page; the links need it too. */
  readonly token: string | undefined
}

/** Returns both documents as one page. */
export function pageOf({ service, control, dialects, token }: Documents): string {
  const query = token === undefined ? '' : `?token=${encodeURIComponent(token)}`
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>tasksim: HTTP reference</title><style>${STYLE_HTML}</style></head>
<body><nav aria-label="Operations"><b>tasksim</b>${contents(service, 'service', 'The service')}${contents(control, 'control', 'The control API')}${dialectLinks(dialects, query)}</nav>
<main>${section(service, 'service', `service.openapi.json${query}`)}${section(control, 'control', `openapi.json${query}`)}</main></body></html>
`
  return page.text
}

// Not escaped, because escaping would change the hash.
const STYLE_HTML = new Html(STYLE)

function dialectLinks(names: readonly string[], query: string): Html {
  return html`<h2>OpenAPI of the dialects</h2><ul>${names.map(
    (name) => html`<li><a href="dialects/${name}/openapi.json${query}">${name}</a></li>`,
  )}</ul>`
}

type LocatedOperation = readonly [path: string, method: string, operation: OpenApiOperation]

function operationsOf({ paths, webhooks = {} }: OpenApiDocument, tag: string): LocatedOperation[] {
  return Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]): LocatedOperation => [path, method, operation]),
  )
}

function contents(document: OpenApiDocument, scope: string, title: string): Html {
  return html`<h2><a href="#${scope}">${title}</a></h2><ul>${document.tags.flatMap(({ name }) =>
    operationsOf(document, name).map(
      ([, , { operationId, summary }]) =>
        html`<li><a href="#${operationAnchor(scope, operationId)}">${summary}</a></li>`,
    ),
  )}<li><a href="#${scope}-schemas">Schemas</a></li></ul>`
}

function section(document: OpenApiDocument, scope: string, link: string): Html {
  const { info, servers, tags, components } = document
  return html`<section class="api" id="${scope}"><h1>${info.title}</h1>${prose(info.description)}
<p>${servers.map(({ url }) => html`<code>${url}</code> `)}· <a href="${link}">OpenAPI document</a></p>
${tags.map(
  ({ name, description }) =>
    html`<h2>${name}<small>${description}</small></h2>${operationsOf(document, name).map(
      ([path, method, operation]) => operationBlock(method, path, operation, scope),
    )}`,
)}
<h2 id="${scope}-schemas">Schemas</h2>${Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<details><summary><span class="path">${name}</span></summary><div class="body" id="${schemaAnchor(scope, name)}">${schemaBlock(schema, scope)}</div></details>`,
  )}</section>`
}
