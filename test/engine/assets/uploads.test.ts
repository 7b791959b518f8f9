import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OverBudgetError } from '../../../src/engine/memory/over-budget-error.js'
import type { SimulatorOptions } from '../../../src/index.js'
import { simulate } from '../../support/simulations.js'

const ORIGIN = 'http://localhost'
const bytesOf = (text: string) => new TextEncoder().encode(text)
const aFile = { owner: 'sk_one', name: 'cat.png', contentType: 'image/png', bytes: bytesOf('meow') }

/** Also names with half a character, as a client in another language may send them. */
const anyName = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units))

/** Checks a URL of an upload as a request for it does. */
function access(sim: ReturnType<typeof simulate>, id: string, url: string) {
  const { pathname, searchParams } = new URL(url)
  const upload = sim.uploads.get(id)
  return upload && sim.uploads.checkAccess(upload, pathname, searchParams)
}

test('an upload keeps its bytes, and its facts', async () => {
  const sim = simulate({ scenario: { outputs: { lifetime: '2h' } } })
  const upload = await sim.uploads.add(aFile)
  expect(upload).toMatchObject({
    ...aFile,
    id: expect.stringMatching(/^[a-z0-9]{24}$/),
    sha256: createHash('sha256').update('meow').digest('hex'),
    createdAt: 0,
    expiresAt: 7_200_000,
  })
  expect(sim.uploads.get(upload.id)).toEqual(upload)
  expect((await sim.uploads.add({ ...aFile, lifetime: 500 })).expiresAt).toBe(500)
})

test('any name gives a URL that leads back to the upload until it expires', async () => {
  const sim = simulate()
  const urls = new Map<string, string>()
  await fc.assert(
    fc.asyncProperty(anyName, async (name) => {
      const upload = await sim.uploads.add({ ...aFile, name })
      const url = sim.uploads.urlOf(upload, ORIGIN)
      expect(new URL(url).pathname).toBe(sim.uploads.pathOf(upload))
      expect(access(sim, upload.id, url)).toBe('granted')
      expect(access(sim, upload.id, url.replace(/.$/, 'Z'))).toBe('tampered')
      urls.set(upload.id, url)
    }),
  )
  await sim.clock.advance('24h')
  for (const [id, url] of urls) expect(access(sim, id, url)).toBe('expired')
})

test('the same files get the same ids in every run, and each copy another one', async () => {
  const idsOf = async (options?: SimulatorOptions) => {
    const sim = simulate(options)
    const uploads = [await sim.uploads.add(aFile), await sim.uploads.add(aFile)]
    return uploads.map(({ id }) => id)
  }
  const ids = await idsOf()
  expect(new Set(ids).size).toBe(2)
  expect(await idsOf()).toEqual(ids)
  expect(await idsOf({ seed: 'other' })).not.toEqual(ids)
})

test('each key lists its own uploads, newest first, without deleted ones', async () => {
  const sim = simulate()
  const [first, second, third] = [
    await sim.uploads.add(aFile),
    await sim.uploads.add(aFile),
    await sim.uploads.add(aFile),
  ]
  await sim.uploads.add({ ...aFile, owner: 'sk_two' })
  expect(sim.uploads.delete(second.id)).toEqual(second)
  expect(sim.uploads.delete(second.id)).toBeUndefined()
  expect(sim.uploads.list('sk_one')).toEqual([third, first])
})

test('uploads beyond the memory budget are rejected until earlier ones have expired', async () => {
  const sim = simulate({ keepBytes: '1MB' })
  const large = { ...aFile, bytes: new Uint8Array(400_000) }
  const [first] = [await sim.uploads.add(large), await sim.uploads.add(large)]
  await expect(sim.uploads.add(large)).rejects.toThrow(OverBudgetError)
  expect(sim.memory.usage().uploads).toBeGreaterThan(800_000)
  await sim.clock.advance('24h')
  const later = await sim.uploads.add(large)
  expect([sim.uploads.get(first.id), sim.uploads.get(later.id)]).toEqual([undefined, later])
})

test('a reset deletes uploads, also one that is in progress', async () => {
  const sim = simulate()
  const before = sim.memory.used
  const { id } = await sim.uploads.add(aFile)
  const inProgress = sim.uploads.add({ ...aFile, bytes: new Uint8Array(100_000) })
  await sim.reset()
  await inProgress
  expect([sim.uploads.get(id), sim.uploads.list('sk_one')]).toEqual([undefined, []])
  sim.journal.clear()
  expect(sim.memory.used).toBe(before)
  expect((await sim.uploads.add(aFile)).id).toBe(id)
})

test('an upload does not keep the buffer of a whole request in memory', async () => {
  const sim = simulate()
  const body = new Uint8Array(10_000).fill(7)
  const { bytes } = await sim.uploads.add({ ...aFile, bytes: body.subarray(100, 200) })
  expect([bytes.length, bytes.buffer.byteLength, bytes[0]]).toEqual([100, 100, 7])
})
