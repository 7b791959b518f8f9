import { Recent } from './recent.js'

const masked = new Recent<string, string>()

/** Shorter secrets are masked completely, because their ends would reveal most of them. */
export const MIN_PARTIALLY_SHOWN = 12

/** Masks a secret: returns `***` or, for 12 or more characters, only its ends, such as `sk_...ocal`. */
export function mask(secret: string): string {
  let result = masked.get(secret)
  if (result === undefined) {
    result = secret.length < MIN_PARTIALLY_SHOWN ? '***' : `${secret.slice(0, 3)}...${secret.slice(-4)}`
    masked.set(secret, result)
  }
  return result
}
