import { expect, it } from 'vitest'
import {
  WEBHOOK_FAULT_WORDS,
  type WebhookFaultWord,
} from '../../../src/engine/webhooks/faults/webhook-fault.js'
import { isSigned, type WebhookFormat } from '../../../src/engine/webhooks/webhook-format.js'
import type { AnyClient } from './any-client.js'
import { describePairs, type Open } from './describe-pairs.js'

interface Post {
  readonly headers: Headers
  readonly text: string
}

/** Whether a webhook shows a task that has not ended, as some services also send. */
function isInterim(text: string, { sim, dialect, stateIn }: AnyClient): boolean {
  try {
    const state = stateIn({ status: 200, headers: {}, text, isCut: false })
    // Webhooks of some services have other words than answers.
    const started = dialect.webhooks(sim.scenario).nameOf('task.started')
    const isStart = started !== undefined && JSON.parse(text)[dialect.answers.status] === started
    return isStart || state === 'queued' || state === 'processing'
  } catch {
    return false
  }
}

/** Creates a task, and lets it end. */
async function postsWith(open: Open, word?: WebhookFaultWord, answer = 204) {
  const posts: Post[] = []
  const receive = async (request: Request) => {
    const text = (await request.text()).replaceAll(client.origin, 'ORIGIN')
    if (isInterim(text, client)) return new Response(null, { status: 204 })
    posts.push({ headers: request.headers, text })
    return new Response(null, { status: posts.length === 1 ? answer : 204 })
  }
  const scenario = word === undefined ? {} : { webhooks: { faults: [{ then: word }] } }
  const client = await open(scenario, { receivers: [receive] })
  const id = client.idIn(await client.create())
  const early = posts.length
  await client.sim.clock.advance('10s')
  const beforePoll = posts.length
  await client.poll(id)
  await client.sim.clock.advance('10m')
  return { client, posts, early, beforePoll, format: client.dialect.webhooks(client.sim.scenario) }
}

/** Adds the usual attempt, if the service has not made a second one. */
function withSecond(sent: Sent, { posts: [usual] }: Sent): Sent {
  return { ...sent, posts: [sent.posts[0], sent.posts[1] ?? usual].flatMap((post) => post ?? []) }
}

type Sent = Awaited<ReturnType<typeof postsWith>>

/**
 * What a receiver sees of each named webhook fault, given the usual body. Deliveries with a wrong signature are retried,
 * except by services that never retry.
 */
const RECEIVED: Readonly<Record<WebhookFaultWord, (sent: Sent, usual: string) => void>> = {
  duplicate: ({ posts }, usual) => expect(posts.map(({ text }) => text)).toEqual([usual, usual]),
  duplicate_at_once: ({ posts }, usual) => expect(posts.map(({ text }) => text)).toEqual([usual, usual]),
  before_response: ({ early, posts }) => expect([early, posts.length]).toEqual([1, 1]),
  after_poll: ({ beforePoll, posts }) => expect([beforePoll, posts.length]).toEqual([0, 1]),
  out_of_order: ({ posts }) => expect(posts.length).toBeLessThanOrEqual(1),
  lost: ({ posts }) => expect(posts).toEqual([]),
  truncated: ({ posts: [post] }) => expect(() => JSON.parse(post?.text ?? '{}')).toThrow(SyntaxError),
  changed: ({ posts: [post] }, usual) => expect(post?.text).not.toBe(usual),
  extra_field: ({ posts: [post] }, usual) => expect(parsed(post)).toMatchObject(JSON.parse(usual)),
  spaced: ({ posts: [post] }, usual) =>
    expect([parsed(post), post?.text === usual]).toEqual([JSON.parse(usual), false]),
  reordered: ({ posts: [post] }, usual) => expect(parsed(post)).toEqual(JSON.parse(usual)),
  wrong_signature: (sent) => expect(signatureOf(sent)).not.toEqual(signatureOf(sent, 1)),
  no_signature: (sent) => expect(signatureOf(sent)).toBeNull(),
  empty_signature: (sent) => expect(signatureOf(sent)).toBe(''),
  malformed_signature: (sent) => expect(Object.values(sent.format.malformed)).toContain(signatureOf(sent)),
  previous_secret: (sent) => expect(signatureOf(sent)).not.toEqual(signatureOf(sent, 1)),
  old_timestamp: (sent) =>
    expect(signedAt(sent) <= signedAt(sent, 1) - 3_600_000).toBe(sent.format.signsTime),
}

function parsed(post: Post | undefined): unknown {
  return JSON.parse(post?.text ?? 'null')
}

/** When an attempt was signed, in epoch milliseconds; 0 if the signature has no time. */
function signedAt({ posts, format }: Sent, attempt = 0): number {
  const { headers, text = '' } = posts[attempt] ?? {}
  return format.messageIn(Object.fromEntries(headers ?? []), new TextEncoder().encode(text))?.at ?? 0
}

function signatureOf({ posts, format }: Sent, attempt = 0): string | null | undefined {
  const headers = Object.keys(format.malformed)
  const header = headers.find((name) => /signature/i.test(name)) ?? headers[0]
  return posts[attempt]?.headers.get(header ?? 'none')
}

const OF_SIGNATURES = Object.keys(WEBHOOK_FAULT_WORDS).filter((word) => /sign|secret|timestamp/.test(word))

describePairs('webhooks', (open) => {
  it('announce the end of a task once', async () => {
    const { posts, format } = await postsWith(open)
    expect(posts).toHaveLength(sends(format) ? 1 : 0)
  })

  it.each(Object.keys(WEBHOOK_FAULT_WORDS) as WebhookFaultWord[])(
    'are spoiled by the fault %s',
    async (word) => {
      const usual = await postsWith(open)
      const { posts, format } = usual
      const isRetried = OF_SIGNATURES.includes(word)
      if (!sends(format) || (isRetried && !isSigned(format))) return
      const sent = await postsWith(open, word, isRetried ? 500 : 204)
      RECEIVED[word](isRetried ? withSecond(sent, usual) : sent, posts[0]?.text ?? '')
    },
  )
})

function sends(format: WebhookFormat): boolean {
  return format.nameOf('task.succeeded') !== undefined
}
