import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether a body was signed with the secret; compares in constant time, and only what has the form of a signature. */
export function isGenuine(body: Uint8Array, signature: string | null, secret: string): boolean {
  if (signature === null || !/^[0-9a-f]{64}$/.test(signature)) return false
  const right = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(Buffer.from(signature, 'hex'), right)
}
