import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { certificatesIn } from './certificate.js'

/** Where systems keep the certificates that they trust, in one file: Debian, Fedora, SUSE, Alpine and macOS. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * The certificates that a program trusts, as PEM.
 * @param file the file that the user has named for it, if any
 */
export function trustedIn(file: string | undefined): string {
  const found = [file, ...SYSTEM_BUNDLES].find((path) => path !== undefined && isFile(path))
  return found === undefined ? rootCertificates.join('\n') : readFileSync(found, 'utf8')
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

/** The password of every Java trust store. It keeps nothing secret. */
const PASSWORD = 'changeit'
const KEY_STORE = { magic: 0xfeedfeed, version: 2, trusted: 2 } as const

/** A trust store of Java, in the format JKS, which every version reads. @param certificates PEM */
export function javaTrustStore(certificates: string): Buffer {
  const entries = certificatesIn(certificates)
  const data = Buffer.concat([
    ...[KEY_STORE.magic, KEY_STORE.version, entries.length].map(word),
    ...entries.flatMap((certificate, index) => [
      word(KEY_STORE.trusted),
      text(`trusted-${index}`),
      Buffer.alloc(8),
      text('X.509'),
      word(certificate.length),
      certificate,
    ]),
  ])
  const digest = createHash('sha1').update(Buffer.from(PASSWORD, 'utf16le').swap16())
  // The salt of the format.
  return Buffer.concat([data, digest.update('Mighty Aphrodite').update(data).digest()])
}

function word(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}

function text(value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([length, Buffer.from(value)])
}
