import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Uploads } from '../../../src/engine/assets/uploads.js'
import type { Simulator, SimulatorOptions } from '../../../src/index.js'
import { simulate } from '../../support/simulations.js'

const ORIGIN = 'http://localhost'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const aFile = { owner: 'sk_one', name: 'cat.png', contentType: 'image/png', bytes: bytesOf('meow') }

/** Also names with half a character, as a client in another language may send them. */
const anyName = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units))

/** Checks a URL of an upload as a request for it does. */
function access(sim: Simulator, uploads: Uploads, id: string, url: string) {
  const { pathname, searchParams } = new URL(url)
  const upload = uploads.get(id)
  return upload && uploads.urls.checkAccess(upload, pathname, searchParams, sim.clock.now())
}

test('an upload keeps its bytes, and its facts', async () => {
  const sim = simulate({ scenario: { outputs: { lifetime: '2h' } } })
  const uploads = await sim.uploads()
  const upload = await uploads.add(aFile)
  expect(upload).toMatchObject({
    ...aFile,
    id: expect.stringMatching(/^[a-z0-9]{24}$/),
    sha256: createHash('sha256').update('meow').digest('hex'),
    createdAt: 0,
    expiresAt: 7_200_000,
  })
  expect(uploads.get(upload.id)).toEqual(upload)
  expect((await uploads.add({ ...aFile, lifetime: 500 })).expiresAt).toBe(500)
})

test('any name gives a URL that leads back to the upload until it expires', async () => {
  const sim = simulate()
  const uploads = await sim.uploads()
  const urls = new Map<string, string>()
  await fc.assert(
    fc.asyncProperty(anyName, async (name) => {
      const upload = await uploads.add({ ...aFile, name })
      const url = uploads.urls.of(upload, ORIGIN)
      expect(new URL(url).pathname).toBe(uploads.urls.pathOf(upload))
      expect(access(sim, uploads, upload.id, url)).toBe('granted')
      expect(access(sim, uploads, upload.id, url.replace(/.$/, 'Z'))).toBe('tampered')
      urls.set(upload.id, url)
    }),
  )
  await sim.clock.advance('24h')
  for (const [id, url] of urls) expect(access(sim, uploads, id, url)).toBe('expired')
})

test('the same files get the same ids in every run, and each copy another one', async () => {
  const idsOf = async (options?: SimulatorOptions) => {
    const sim = simulate(options)
    const uploads = await sim.uploads()
    const copies = [await uploads.add(aFile), await uploads.add(aFile)]
    return copies.map(({ id }) => id)
  }
  const ids = await idsOf()
  expect(new Set(ids).size).toBe(2)
  expect(await idsOf()).toEqual(ids)
  expect(await idsOf({ seed: 'other' })).not.toEqual(ids)
})

test('each key lists its own uploads, newest first, without deleted ones', async () => {
  const sim = simulate()
  const uploads = await sim.uploads()
  const [first, second, third] = [
    await uploads.add(aFile),
    await uploads.add(aFile),
    await uploads.add(aFile),
  ]
  await uploads.add({ ...aFile, owner: 'sk_two' })
  expect(uploads.delete(second.id)).toEqual(second)
  expect(uploads.delete(second.id)).toBeUndefined()
  expect(uploads.list('sk_one')).toEqual([third, first])
})

test('uploads beyond the memory budget are rejected until earlier ones have expired', async () => {
  const sim = simulate({ keepBytes: '1MB' })
  const uploads = await sim.uploads()
  const large = { ...aFile, bytes: new Uint8Array(400_000) }
  const [first] = [await uploads.add(large), await uploads.add(large)]
  await expect(uploads.add(large)).rejects.toThrow(/1 MB.*memory/)
  expect(sim.memory.usage().uploads).toBeGreaterThan(800_000)
  await sim.clock.advance('24h')
  const later = await uploads.add(large)
  expect([uploads.get(first.id), uploads.get(later.id)]).toEqual([undefined, later])
})

test('a reset deletes uploads, also one that is in progress', async () => {
  const sim = simulate()
  const uploads = await sim.uploads()
  const before = sim.memory.used
  const { id } = await uploads.add(aFile)
  const inProgress = uploads.add({ ...aFile, bytes: new Uint8Array(100_000) })
  await sim.reset()
  await inProgress
  expect([uploads.get(id), uploads.list('sk_one')]).toEqual([undefined, []])
  sim.journal.clear()
  expect(sim.memory.used).toBe(before)
  expect((await uploads.add(aFile)).id).toBe(id)
})

test('an upload does not keep the buffer of a whole request in memory', async () => {
  const sim = simulate()
  const uploads = await sim.uploads()
  const body = new Uint8Array(10_000).fill(7)
  const { bytes } = await uploads.add({ ...aFile, bytes: body.subarray(100, 200) })
  expect([bytes.length, bytes.buffer.byteLength, bytes[0]]).toEqual([100, 100, 7])
})

test('an announced file has a URL at once, and gets its bytes later', async () => {
  const sim = simulate()
  const uploads = await sim.uploads()
  const before = sim.memory.used
  const { bytes, ...announced } = aFile
  const upload = uploads.announce({ ...announced, dialect: 'acme', kept: { why: 'test' } })
  expect(upload).toMatchObject({ isComplete: false, isAnnounced: true, sha256: '', kept: { why: 'test' } })
  const complete = await uploads.receive(upload, bytes)
  expect(complete).toMatchObject({ id: upload.id, bytes, isComplete: true })
  expect(await uploads.receive(upload, bytesOf('woof'))).toMatchObject({ bytes: bytesOf('woof') })
  expect([uploads.list('sk_one', 'acme').length, uploads.list('sk_one', 'other').length]).toEqual([1, 0])
  uploads.delete(upload.id)
  expect(sim.memory.used).toBe(before)
  expect(await uploads.receive(upload, bytes)).toBeUndefined()
})
