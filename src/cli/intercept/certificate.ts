import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { systemNow } from '../../engine/clock/system-clock.js'
import { bits, bytes, contextual, flag, oid, sequence, setOf, small, unsigned, utcTime, utf8 } from './der.js'

/** A certificate, and its private key, which stays in memory. */
export interface Certificate {
  /** PEM. */
  readonly certificate: string
  readonly key: KeyObject
}

const DAY = 86_400_000
/** Clocks of containers may be behind. */
const SKEW = 3_600_000

/**
 * Makes a certificate for the names of some hosts. It is its own trust anchor, and no certificate authority: nobody can
 * sign another certificate with its key.
 * @param days how long it is valid
 */
export function selfSigned(names: readonly string[], days: number): Certificate {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const now = systemNow()
  const name = sequence(setOf(sequence(oid(OIDS.commonName), utf8('tasksim'))))
  const body = sequence(
    contextual(0, small(2)),
    unsigned(randomBytes(16)),
    sequence(oid(OIDS.ecdsaWithSha256)),
    name,
    sequence(utcTime(now - SKEW), utcTime(now + days * DAY)),
    name,
    spki,
    contextual(3, extensions(names, spki)),
  )
  const signature = sign('sha256', body, { key, dsaEncoding: 'der' })
  return { certificate: pem(sequence(body, sequence(oid(OIDS.ecdsaWithSha256)), bits(signature))), key }
}

const OIDS = {
  commonName: [2, 5, 4, 3],
  ecdsaWithSha256: [1, 2, 840, 10045, 4, 3, 2],
  subjectKeyId: [2, 5, 29, 14],
  keyUsage: [2, 5, 29, 15],
  subjectAltName: [2, 5, 29, 17],
  basicConstraints: [2, 5, 29, 19],
  authorityKeyId: [2, 5, 29, 35],
  extendedKeyUsage: [2, 5, 29, 37],
  serverAuth: [1, 3, 6, 1, 5, 5, 7, 3, 1],
} as const

/** Strict verifiers, such as that of Python 3.13, need the identifiers of the keys (RFC 5280, section 4.2.1). */
function extensions(names: readonly string[], spki: Buffer): Buffer {
  const keyId = createHash('sha1').update(spki).digest()
  const digitalSignature = Buffer.from([0x03, 0x02, 0x07, 0x80])
  return sequence(
    extension(OIDS.basicConstraints, sequence(), true),
    extension(OIDS.keyUsage, digitalSignature, true),
    extension(OIDS.extendedKeyUsage, sequence(oid(OIDS.serverAuth))),
    extension(OIDS.subjectKeyId, bytes(keyId)),
    extension(OIDS.authorityKeyId, sequence(contextual(0, keyId, true))),
    extension(OIDS.subjectAltName, sequence(...names.map((host) => contextual(2, Buffer.from(host), true)))),
  )
}

function extension(id: readonly number[], value: Buffer, isCritical = false): Buffer {
  return sequence(oid(id), ...(isCritical ? [flag(true)] : []), bytes(value))
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{1,64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`
}

/** The certificates in a PEM text, as bytes. */
export function certificatesIn(text: string): Buffer[] {
  const found = text.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g)
  return [...found].map(([, base64 = '']) => Buffer.from(base64, 'base64'))
}
