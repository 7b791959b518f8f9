import { fromBase64 } from '../../base64.js'
import { isJsonObject, type JsonObject, parseJson } from '../../json.js'

/** The claims in a JSON Web Token; undefined if it is none. */
export function claimsIn(token: string): JsonObject | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  const bytes = fromBase64(payload.replace(/-/g, '+').replace(/_/g, '/'))
  const claims = parseJson(new TextDecoder().decode(bytes))
  return isJsonObject(claims) ? claims : undefined
}
