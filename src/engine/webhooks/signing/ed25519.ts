import { getPublicKeyAsync, signAsync } from '@noble/ed25519'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { toBase64, toBase64Url } from '../../base64.js'
import { sha256 } from '../../sha256.js'

/**
 * Signs texts with Ed25519 (RFC 8032). It is loaded on first use, because few services sign this way.
 *
 * WebCrypto provides only the SHA-512, because it lacks Ed25519 in some browsers. In a browser, the page must come from
 * `https:` or `localhost`: others have no WebCrypto.
 */
export class Ed25519Key {
  readonly #seed: Uint8Array

  /** @param secret a string that determines the key pair: the seed is the SHA-256 of its UTF-8 */
  constructor(secret: string) {
    this.#seed = sha256(utf8ToBytes(secret))
  }

  /** The public key in base64url, as in the field `x` of a JSON Web Key (RFC 8037). */
  async publicKey(): Promise<string> {
    return toBase64Url(await getPublicKeyAsync(this.#seed))
  }

  /** Signs the UTF-8 of a string. */
  async sign(text: string, encoding: 'hex' | 'base64'): Promise<string> {
    const signature = await signAsync(utf8ToBytes(text), this.#seed)
    return encoding === 'hex' ? bytesToHex(signature) : toBase64(signature)
  }
}
