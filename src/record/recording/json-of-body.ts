import type { JsonValue } from '../../engine/json.js'
import { type FormField, objectOfForm } from '../../exchange/form-object.js'
import type { RecordedBody } from './recording.js'

/** The JSON of a body, or the object that the texts of a form stand for; undefined if it is neither. */
export function jsonOfBody(body: RecordedBody | undefined): JsonValue | undefined {
  if (body === undefined) return undefined
  if ('json' in body) return body.json
  if (!('form' in body)) return undefined
  return objectOfForm(
    body.form.flatMap((field): FormField[] => ('text' in field ? [[field.name, field.text]] : [])),
  )
}
