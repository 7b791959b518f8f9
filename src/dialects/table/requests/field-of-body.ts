import type { JsonValue } from '../../../engine/json.js'

/** The field of the body that a template names, such as `callback_url` in `{{body.callback_url}}`; empty if none. */
export function fieldOfBody(template: JsonValue): string {
  return /\{\{\s*body\.([\w.-]+)/.exec(JSON.stringify(template))?.[1] ?? ''
}
