import { toBase64 } from '../engine/base64.js'
import { sha256 } from '../engine/sha256.js'
import { componentIn, fieldsOf, formsOf, type TypeText, typeOf } from './fields.js'
import { Html, html, inline, prose } from './html.js'
import type {
  OpenApiDocument,
  OpenApiMedia,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  OpenApiSchema,
} from './openapi.js'

/** The style of the page, for light and dark mode, wide and narrow windows, and print. */
const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6678;--paper:#fff;--wash:#f5f7fa;--line:#dde3ea;--accent:#3257c8;
--get:#1d7a4c;--post:#8a5a00;--put:#6a3fb5;--patch:#6a3fb5;--delete:#b3261e;--options:#5b6678}
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ef;--soft:#9aa6b8;--paper:#12161d;--wash:#1a2029;--line:#2b3442;
--accent:#8fb0ff;--get:#5fd39a;--post:#e8b34a;--put:#bb9bf5;--patch:#bb9bf5;--delete:#ff8f86;--options:#9aa6b8}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);display:grid;
grid-template-columns:17rem minmax(0,1fr)}
a{color:var(--accent);text-decoration:none}a:hover,main p a{text-decoration:underline}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.5rem 1.25rem;background:var(--wash);
border-right:1px solid var(--line);font-size:.875rem}
nav b{display:block;font-size:1.05rem;margin-bottom:.5rem}
nav h2{font-size:.75rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft);margin:1.5rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}nav li{padding:.1rem 0}nav a{color:inherit}
main{padding:2rem clamp(1rem,4vw,3.5rem) 6rem;max-width:66rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}
section.api+section.api{margin-top:4rem;padding-top:3rem;border-top:1px solid var(--line)}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem}h2 small{font-weight:400;color:var(--soft);margin-left:.5rem}
h3{font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;color:var(--soft);margin:1.25rem 0 .4rem}
code,pre,.path{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
code{background:var(--wash);padding:.1em .3em;border-radius:4px}
pre{background:var(--wash);border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem;overflow-x:auto;margin:.4rem 0}
pre code{background:none;padding:0}
details{border:1px solid var(--line);border-radius:10px;margin:.5rem 0;background:var(--paper)}
details[open]{box-shadow:0 1px 6px rgb(0 0 0/.08)}
summary{cursor:pointer;padding:.6rem 1rem;display:flex;gap:.75rem;align-items:baseline;flex-wrap:wrap;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--wash);border-radius:10px}
summary .what{color:var(--soft);margin-left:auto;font-size:.9rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.body{padding:0 1rem 1rem;scroll-margin-top:4rem}
.method{font:600 .75rem ui-monospace,Menlo,monospace;min-width:4rem;letter-spacing:.03em}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}
.delete{color:var(--delete)}.options{color:var(--options)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{text-align:left;font-weight:600;color:var(--soft)}
th,td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td:first-child{white-space:nowrap}.type{color:var(--soft)}
.need{color:var(--delete);font-weight:600}
@media (max-width:52rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}}
@media print{nav{display:none}body{display:block}}
`

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

/** Shows an operation as a collapsed block. */
function operationBlock(method: string, path: string, operation: OpenApiOperation, scope: string): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  return html`<details><summary><span class="method ${method}">${method.toUpperCase()}</span><span class="path">${path}</span><span class="what">${summary}</span></summary><div class="body" id="${operationAnchor(scope, operationId)}">
${description === undefined ? '' : prose(description)}
${parameters.length === 0 ? '' : parameterTable(parameters, scope)}
${requestBody === undefined ? '' : html`<h3>Body</h3>${contentBlock(requestBody.content, scope)}`}
<h3>Responses</h3>${Object.entries(responses).map(([status, response]) => responseBlock(status, response, scope))}
</div></details>`
}

/** Returns the anchor of an operation. */
function operationAnchor(scope: string, operationId: string): string {
  return `${scope}-${operationId.replaceAll('.', '-')}`
}

function parameterTable(parameters: readonly OpenApiParameter[], scope: string): Html {
  return html`<h3>Parameters</h3><div class="wide"><table><tr><th>name</th><th>in</th><th>type</th><th></th></tr>${parameters.map(
    ({ name, in: part, required, description, schema }) =>
      html`<tr><td><code>${name}</code>${required ? html` <span class="need">*</span>` : ''}</td><td class="type">${part}</td><td class="type">${typeText(typeOf(schema), scope)}</td><td>${inline(description)}</td></tr>`,
  )}</table></div>`
}

function responseBlock(
  status: string,
  { description, headers, content = {} }: OpenApiResponse,
  scope: string,
): Html {
  const isError = 'application/problem+json' in content
  const names = Object.keys(headers ?? {})
  return html`<p><code>${status}</code> ${inline(description)}${names.length === 0 ? '' : html` <span class="type">with ${names.join(', ')}</span>`}</p>${isError ? '' : contentBlock(content, scope)}`
}

function contentBlock(content: Readonly<Record<string, OpenApiMedia>>, scope: string): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, examples = {} }]) =>
      html`${type === 'application/json' ? '' : html`<p class="type">${type}</p>`}${schema === undefined ? '' : schemaBlock(schema, scope)}${Object.values(
        examples,
      ).map(
        ({ summary, value }) =>
          html`${summary === undefined ? '' : html`<p class="type">${summary}</p>`}<pre><code>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code></pre>`,
      )}`,
  )}`
}

/** Shows the fields of a schema in a table, or its type in a line. */
function schemaBlock(schema: OpenApiSchema, scope: string): Html {
  const forms = formsOf(schema)
  if (forms.length > 1 && forms.some((form) => componentIn(form) === undefined))
    return html`${forms.map((form, index) => html`${index > 0 ? html`<p class="type">or</p>` : ''}${formBlock(form, scope)}`)}`
  return formBlock(schema, scope)
}

function formBlock(schema: OpenApiSchema, scope: string): Html {
  const fields = fieldsOf(schema)
  if (fields.length === 0) {
    const description = String(schema['description'] ?? '')
    return html`<p><span class="type">${typeText(typeOf(schema), scope)}</span> ${inline(description)}</p>`
  }
  return html`<div class="wide"><table><tr><th>field</th><th>type</th><th></th></tr>${fields.map(
    ({ name, type, isRequired, description }) =>
      html`<tr><td><code>${name}</code>${isRequired ? '' : html` <span class="type">optional</span>`}</td><td class="type">${typeText(type, scope)}</td><td>${inline(description)}</td></tr>`,
  )}</table></div>`
}

/** Shows a type with links to its components. */
function typeText(type: TypeText, scope: string): Html {
  return html`${type.map((part) =>
    typeof part === 'string'
      ? part
      : html`<a href="#${schemaAnchor(scope, part.component)}">${part.component}</a>`,
  )}`
}

/** Returns the anchor of a component. */
function schemaAnchor(scope: string, component: string): string {
  return `${scope}-schema-${component}`
}
