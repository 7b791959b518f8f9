import { typeOf } from '../fields.js'
import type { OpenApiMedia, OpenApiOperation, OpenApiParameter, OpenApiResponse } from '../openapi.js'
import { type Html, html, inline, prose } from './html.js'
import { schemaBlock, typeText } from './schema.js'

/** Shows an operation as a collapsed block. */
export function operationBlock(
  method: string,
  path: string,
  operation: OpenApiOperation,
  scope: string,
): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  return html`<details><summary><span class="method ${method}">${method.toUpperCase()}</span><span class="path">${path}</span><span class="what">${summary}</span></summary><div class="body" id="${operationAnchor(scope, operationId)}">
${description === undefined ? '' : prose(description)}
${parameters.length === 0 ? '' : parameterTable(parameters, scope)}
${requestBody === undefined ? '' : html`<h3>Body</h3>${contentBlock(requestBody.content, scope)}`}
<h3>Responses</h3>${Object.entries(responses).map(([status, response]) => responseBlock(status, response, scope))}
</div></details>`
}

/** Returns the anchor of an operation. */
export function operationAnchor(scope: string, operationId: string): string {
  return `${scope}-${operationId.replaceAll('.', '-')}`
}

function parameterTable(parameters: readonly OpenApiParameter[], scope: string): Html {
  return html`<h3>Parameters</h3><div class="wide"><table><tr><th>name</th><th>in</th><th>type</th><th></th></tr>${parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><td><code>${name}</code>${required ? html` <span class="need">*</span>` : ''}</td><td class="type">${place}</td><td class="type">${typeText(typeOf(schema), scope)}</td><td>${inline(description)}</td></tr>`,
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
