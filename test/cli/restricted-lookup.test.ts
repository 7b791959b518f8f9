import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { nodeTransport, type Resolve } from '../../src/cli/transport/node-transport.js'
import { targetPolicy } from '../../src/engine/webhooks/attempts/target-policy.js'
import { startReceiver } from '../http/receiver.js'

const LINK_LOCAL: LookupAddress = { address: '169.254.169.254', family: 4 }
const MAPPED: LookupAddress = { address: '::ffff:169.254.169.254', family: 6 }
const IN_6TO4: LookupAddress = { address: '2002:a9fe:a9fe::', family: 6 }
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 }

/** Returns a name server that sends the n-th answer to the n-th question, and repeats the last one. */
function answers(...all: readonly LookupAddress[][]): Resolve {
  let asked = 0
  return (_host, _options, callback) => {
    const answer = all[Math.min(asked, all.length - 1)] ?? []
    asked += 1
    callback(null, answer)
  }
}

function post(url: string) {
  return {
    url,
    headers: { connection: 'close' },
    body: new TextEncoder().encode('{}'),
    signal: new AbortController().signal,
  }
}

const reason = (sending: Promise<unknown>) =>
  sending.then(
    () => 'sent',
    (error: Error) => String((error.cause as Error | undefined)?.message),
  )

/** Starts a receiver at a name that only the given name server knows. */
async function named() {
  const { url, received } = await startReceiver()
  return { url: url.replace('127.0.0.1', 'receiver.test'), received }
}

test.each([[[LINK_LOCAL]], [[MAPPED]], [[LINK_LOCAL, MAPPED]], [[IN_6TO4]]])(
  'the transport does not connect to a name that resolves only to %j',
  async (addresses) => {
    const send = nodeTransport(targetPolicy(undefined), answers(addresses))
    expect(await reason(send(post('http://receiver.test:9/')))).toMatch(
      /^webhooks may not go to the link-local address (?:.*169\.254\.169\.254|2002:a9fe:a9fe::); allow it with --webhook-allow/,
    )
  },
)

test('the transport uses only the allowed addresses of a name', async () => {
  const { url, received } = await named()
  const send = nodeTransport(targetPolicy(undefined), answers([LINK_LOCAL, LOOPBACK]))
  expect((await send(post(url))).status).toBe(204)
  expect(received).toHaveLength(1)
})

test('the transport resolves a name again at the next connection', async () => {
  const { url, received } = await named()
  const send = nodeTransport(targetPolicy(undefined), answers([LOOPBACK], [LINK_LOCAL]))
  expect((await send(post(url))).status).toBe(204)
  expect(await reason(send(post(url)))).toMatch(/link-local/)
  expect(received).toHaveLength(1)
})

test('the transport does not reuse an open connection for a URL that must not reach its address', async () => {
  const { url, received } = await named()
  // Simulates a connection to a link-local address that a pattern allows for one path.
  const allows = (path: string) => ({ mayCall: () => true, mayReach: (to: string) => to.endsWith(path) })
  const send = nodeTransport(allows('/hook'), answers([LOOPBACK]))
  const kept = { ...post(url), headers: {} }
  expect((await send(kept)).status).toBe(204)
  expect(await reason(send({ ...kept, url: url.replace('/hook', '/other') }))).toMatch(/may not go/)
  expect(received).toHaveLength(1)
})
