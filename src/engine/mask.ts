import { Recent } from './recent.js'

const masked = new Recent<string, string>()

/** A shorter secret is masked as a whole: its ends would be most of it. */
export const SHORTEST_SHOWN = 12

/** A secret as it may be shown: `***`, or where it has 12 characters or more, its ends, such as `sk_...ocal`. */
export function mask(secret: string): string {
  let shown = masked.get(secret)
  if (shown === undefined) {
    shown = secret.length < SHORTEST_SHOWN ? '***' : `${secret.slice(0, 3)}...${secret.slice(-4)}`
    masked.set(secret, shown)
  }
  return shown
}
