import { createHmac } from 'node:crypto'
import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, parseDialect } from '../../src/index.js'
import { startReceiver } from '../http/receiver.js'
import { plainSnippets, type Snippet, snippets } from './pages.js'

type Fields = Readonly<Record<string, object>>

const ofPage = ({ place }: Snippet) => place.startsWith('docs/dialect-files.md')
const [example] = plainSnippets('yaml').filter(ofPage)
const parts = snippets('yaml').filter((snippet) => ofPage(snippet) && snippet.marker?.name === 'part')

/** The example of the page with the fields of a part in place of its own. */
function withPart(text: string) {
  const whole: Fields = parse(example?.text ?? '')
  const part: Fields = parse(text)
  const own = Object.entries(part).map(([name, value]) => [
    name,
    name === 'statuses' || name === 'operations' ? { ...whole[name], ...value } : value,
  ])
  return parseDialect(JSON.stringify({ ...whole, ...Object.fromEntries(own) }))
}

test.each(parts.map(({ place, text }) => [place, text] as const))(
  'the part of a dialect file at %s is valid',
  (_, text) => {
    expect(withPart(text).name).toBe('acme')
  },
)

const hmacOf = (text: string) => createHmac('sha256', 'acme_local_secret').update(text).digest('hex')

test('webhooks are signed as the page shows', async () => {
  const [overTime = '', constant = ''] = parts
    .map(({ text }) => text)
    .filter((text) => /X-Acme-(?:Signature|Token)/.test(text))
  const sent = async (part: string, body: object = {}) => {
    const receiver = await startReceiver()
    const sim = createSimulator({ dialects: [withPart(part)], clock: 'manual' })
    const request = new Request('https://api.acme.example/v1/jobs', {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'waves', model: 'm', callback: receiver.url, ...body }),
    })
    await getResponse(handlers(sim, { dialect: 'acme' }), request)
    await sim.clock.advance('1m')
    return receiver.received[0]
  }
  const one = await sent('{}')
  expect(one?.headers['x-acme-signature']).toBe(`sha256=${hmacOf(`${one?.body}`)}`)
  const two = await sent(overTime)
  const [, time] = /^t=(\d+)/.exec(String(two?.headers['x-acme-signature'])) ?? []
  expect(two?.headers).toMatchObject({
    'x-acme-signature': `t=${time},v1=${hmacOf(`${time}.${two?.body}`)}`,
    'x-acme-delivery': expect.stringMatching(/./),
  })
  const three = await sent(constant, { header: 'X-Mine', value: 'my token' })
  expect(three?.headers).toMatchObject({ 'x-acme-token': 'acme_local_token', 'x-mine': 'my token' })
})
