import { componentIn, fieldsOf, formsOf, type TypeText, typeOf } from '../fields.js'
import type { OpenApiSchema } from '../openapi.js'
import { type Html, html, inline } from './html.js'

/** Shows the fields of a schema in a table, or its type in a line. */
export function schemaBlock(schema: OpenApiSchema, scope: string): Html {
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
export function typeText(type: TypeText, scope: string): Html {
  return html`${type.map((part) =>
    typeof part === 'string'
      ? part
      : html`<a href="#${schemaAnchor(scope, part.component)}">${part.component}</a>`,
  )}`
}

/** Returns the anchor of a component. */
export function schemaAnchor(scope: string, component: string): string {
  return `${scope}-schema-${component}`
}
