import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GenericContainer, Wait } from 'testcontainers'

/** The control API of a container needs a token. */
const TOKEN = 'a-token-for-these-tests'

let container
let origin

before(async () => {
  container = await new GenericContainer(process.env.TASKSIM_IMAGE ?? 'tasksim')
    .withCommand(['instant', '--control-token', TOKEN])
    .withExposedPorts(4010)
    .withWaitStrategy(Wait.forHealthCheck())
    .start()
  origin = `http://${container.getHost()}:${container.getMappedPort(4010)}`
})

after(() => container?.stop())

/** The client under test: your app, with `origin` in the variable that it reads. */
async function generate(baseUrl) {
  const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'a lighthouse' } })
  const { id } = await (await fetch(`${baseUrl}/tasks`, { method: 'POST', headers, body })).json()
  const { output } = await (await fetch(`${baseUrl}/tasks/${id}`, { headers })).json()
  return fetch(output.images[0])
}

test('the client gets its picture, and makes no mistake', async () => {
  const file = await generate(`${origin}/api/v1`)
  assert.equal(file.headers.get('content-type'), 'image/png')
  assert.ok((await file.arrayBuffer()).byteLength > 0)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const { findings } = await (await fetch(`${origin}/_sim/findings?final=true`, { headers })).json()
  assert.deepEqual(findings, [])
})
