import { createHmac, timingSafeEqual } from 'node:crypto'

/** Checks the format of a signature, then compares it in constant time. */
export function isGenuine(body: Uint8Array, signature: string | null, secret: string): boolean {
  if (signature === null || !/^[0-9a-f]{64}$/.test(signature)) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}
