import { expect, it } from 'vitest'
import { exploreInProcess } from '../../src/vitest/explore.js'

const BASE = 'https://queue.fal.run/acme/image-1'
const HEADERS = { authorization: 'Key key', 'content-type': 'application/json' }

/** A client of fal that reports a failed download at once. */
async function generate() {
  const body = JSON.stringify({ prompt: 'a fox' })
  const created = await (await fetch(BASE, { method: 'POST', headers: HEADERS, body })).json()
  for (let status = ''; status !== 'COMPLETED'; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    status = (await (await fetch(created.status_url, { headers: HEADERS })).json()).status
  }
  const { images } = await (await fetch(created.response_url, { headers: HEADERS })).json()
  const file = await fetch(images[0].url)
  if (!file.ok) throw new Error(`The download has failed with ${file.status}.`)
}

it('a client may report an expired URL if the service of its task does not renew it', async () => {
  const options = { dialect: 'fal', places: ['file'], deviations: ['expired'] }
  const { runs } = await exploreInProcess('fal', options, generate)
  expect(runs).toMatchObject([{ id: 'file#1.0:expired', result: 'reported' }])
})
