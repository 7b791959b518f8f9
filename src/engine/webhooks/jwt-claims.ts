import { isJsonObject, type JsonObject } from '../json.js'

/** The claims in a JSON Web Token; undefined if it is none. */
export function claimsIn(token: string): JsonObject | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (character) =>
      character.charCodeAt(0),
    )
    const claims = JSON.parse(new TextDecoder().decode(bytes))
    return isJsonObject(claims) ? claims : undefined
  } catch {
    return undefined
  }
}
