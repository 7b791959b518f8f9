import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { selfSigned } from '../../../src/cli/intercept/certificate.js'
import { systemNow } from '../../../src/engine/clock/system-clock.js'

const HOSTS = ['api.replicate.com', 'queue.fal.run']
const DAY = 86_400_000

it('the certificate holds for the given hosts alone, is valid for the given days, and cannot sign others', () => {
  const { certificate, key } = selfSigned(HOSTS, 1)
  const read = new X509Certificate(certificate)
  expect(HOSTS.map((host) => read.checkHost(host))).toEqual(HOSTS)
  expect(read.checkHost('api.stripe.com')).toBeUndefined()
  expect(read.ca).toBe(false)
  expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(read.checkPrivateKey(key)).toBe(true)
  expect(read.verify(read.publicKey)).toBe(true)
  const [from, to] = [Date.parse(read.validFrom), Date.parse(read.validTo)]
  expect(from).toBeLessThan(systemNow())
  expect(to - from).toBeLessThanOrEqual(DAY + 3_600_000)
})

it('no two certificates have the same key', () => {
  const [one, other] = [selfSigned(HOSTS, 1), selfSigned(HOSTS, 1)].map(
    ({ certificate }) => new X509Certificate(certificate).fingerprint256,
  )
  expect(one).not.toBe(other)
})
