import fc from 'fast-check'
import { expect, it } from 'vitest'
import { entryLine } from '../../../src/cli/record/recording-file.js'
import type { JsonValue } from '../../../src/engine/json.js'
import type { ExchangeEntry } from '../../../src/record/recording/recording.js'
import { keyName, redactedText } from '../../../src/record/recording/redacted-text.js'
import { passed, redactorFor } from './passed.js'
import { HEADER } from './recording-text.js'

const { salt } = HEADER
const API = 'https://api.example.com'
const hash = (value: JsonValue) => redactedText(salt, value)

/** The JSON of the body of a request or an answer. */
function jsonOf(side: ExchangeEntry['request'] | ExchangeEntry['response']) {
  return side?.body !== undefined && 'json' in side.body ? side.body.json : undefined
}

it('only headers that cannot hold secrets are kept', async () => {
  const { request, response } = (await redactorFor()).exchange(
    passed({
      headers: {
        authorization: 'Bearer sk_live_local',
        cookie: 'session=abcdefgh12345678',
        'x-api-key': 'abcdefgh12345678',
        'x-client-secret': 'x',
        'user-agent': 'acme/1.0',
        accept: 'text/event-stream',
      },
      answerHeaders: {
        'set-cookie': 'session=abcdefgh12345678; Path=/',
        'retry-after': '3',
        'x-ratelimit-remaining-requests': '7',
        'ratelimit-policy': '10;w=60',
        'x-request-id': 'req_1',
        'openai-version': '2020-10-01',
        etag: '"a"',
        location: '/v1/x?token=abcdefgh1234&page=2',
        'x-signature': 'abcdefgh1234',
        server: 'nginx',
      },
    }),
  )
  expect(request.headers).toEqual({ 'content-type': 'application/json', accept: 'text/event-stream' })
  expect(response?.headers).toEqual({
    'content-type': 'application/json',
    'retry-after': '3',
    'x-ratelimit-remaining-requests': '7',
    'ratelimit-policy': '10;w=60',
    'x-request-id': 'req_1',
    'openai-version': '2020-10-01',
    etag: '"a"',
    location: '/v1/x?token=***&page=2',
  })
})

it('the headers that a dialect needs are kept, except for its key', async () => {
  const headers = { authorization: 'Bearer key_1', 'x-runway-version': '2024-11-06', prefer: 'wait=5' }
  const runway = (await redactorFor({}, 'runway')).exchange(passed({ headers }))
  expect(Object.keys(runway.request.headers)).toEqual(['content-type', 'x-runway-version', 'prefer'])
  const google = (await redactorFor({}, 'google')).exchange(
    passed({ headers: { 'x-goog-api-key': 'abcdefgh12345678' } }),
  )
  expect(google.request.headers).toEqual({ 'content-type': 'application/json' })
  expect(google.key).toBe(keyName(salt, 'abcdefgh12345678'))
})

it('an API key has a name, and is masked wherever else it occurs', async () => {
  const redactor = await redactorFor({}, 'google')
  const key = 'my local key'
  const {
    key: name,
    request,
    response,
  } = redactor.exchange(
    passed({
      url: `${API}/v1?key=my%20local%20key&q=my+local+key`,
      answer: { error: `The key ${key} is bad.` },
    }),
  )
  expect(name).toBe(keyName(salt, key))
  expect(request.url).toBe(`${API}/v1?key=***&q=***`)
  expect(jsonOf(response)).toEqual({ error: 'The key *** is bad.' })
})

it('queries are masked: those of the service by name, those of other hosts completely', async () => {
  const url = `${API}/api/v1/tasks?limit=3&page_token=abc&token=t&X-Amz-Date=1&Expires=2&hook=https%3A%2F%2Fa.test%2F%3Fid%3D7`
  const answer = {
    next_url: `${API}/api/v1/tasks?cursor=abc&sig=def`,
    output: [
      'https://user:pass@cdn.test/a.png?w=3&se=4#x',
      'See https://cdn.test/b.png?abc, or wss://cdn.test/c?d=e.',
    ],
    relative: '/files/a?signature=abc&size=3',
  }
  const { request, response } = (await redactorFor()).exchange(passed({ url, answer }))
  expect(request.url).toBe(
    `${API}/api/v1/tasks?limit=3&page_token=abc&token=***&X-Amz-Date=***&Expires=***&hook=https%3A%2F%2Fa.test%2F%3Fid%3D***`,
  )
  expect(jsonOf(response)).toEqual({
    next_url: `${API}/api/v1/tasks?cursor=abc&sig=***`,
    output: [
      'https://***@cdn.test/a.png?w=***&se=***#***',
      'See https://cdn.test/b.png?*** or wss://cdn.test/c?d=***',
    ],
    relative: '/files/a?signature=***&size=3',
  })
})

it('fields with the names of secrets are masked, and the same values elsewhere', async () => {
  const redactor = await redactorFor()
  const body = {
    webhook_secret: 'abcdefgh1234',
    credentials: { user: 'ann', password: 7 },
    headers: [{ Authorization: 'Basic YWJj' }],
    max_tokens: 5,
    tokens: 'five',
    next_page_token: 'abc',
    arguments: '{"client_secret":"x","city":"Rome"}',
  }
  const { request } = redactor.exchange(passed({ body }))
  expect(jsonOf(request)).toEqual({
    webhook_secret: '***',
    credentials: { user: '***', password: 7 },
    headers: [{ Authorization: '***' }],
    max_tokens: 5,
    tokens: 'five',
    next_page_token: 'abc',
    arguments: '{"client_secret":"***","city":"Rome"}',
  })
  const later = redactor.exchange(passed({ answer: { note: 'abcdefgh1234' } }))
  expect(jsonOf(later.response)).toEqual({ note: '***' })
})

it.each([
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'sk-proj-abc_DEF0123456789',
  'sk_live_local_1234',
  'r8_AbCdEfGhIjKlMnOpQrStUvWxYz0123456',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'AIzaSyA1234567890abcdefghijklmnopqrstuv',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAAAA\n-----END RSA PRIVATE KEY-----',
  '0f1e2d3c-0000-4000-8000-0123456789ab:0123456789abcdef0123456789abcdef',
  'key_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
])('the secret %j is masked by its form', async (secret) => {
  const { response } = (await redactorFor()).exchange(
    passed({ answer: { message: `It is ${secret} now`, id: 'task_1' } }),
  )
  expect(jsonOf(response)).toEqual({ message: 'It is *** now', id: 'task_1' })
})

it('data URLs and long base64 become hashes, short ones stay', async () => {
  const long = 'QUJD'.repeat(60)
  const body = {
    image: `data:image/png;base64,${long}`,
    raw: long,
    small: 'data:text/plain,hi',
    md: `![](data:image/png;base64,${long})`,
  }
  const { request } = (await redactorFor()).exchange(passed({ body }))
  expect(jsonOf(request)).toEqual({
    image: hash(body.image),
    raw: hash(long),
    small: body.small,
    md: `![](${hash(body.image)})`,
  })
})

it('what looks like a secret in a file is a part of it', async () => {
  const image = `${'Qk9'.repeat(100)}/token/q8Zk2LmXv4/${'AbC1'.repeat(100)}`
  const redactor = await redactorFor()
  const answers = [1, 2].map(() => redactor.exchange(passed({ answer: { image, part: 'q8Zk2LmXv4' } })))
  for (const { response } of answers)
    expect(response?.body).toEqual({
      json: { image: expect.stringMatching(/^\[redacted [0-9a-f]{32}\]$/), part: 'q8Zk2LmXv4' },
    })
})

it('a redacted value is a hash in the request and in answers that repeat it', async () => {
  const redactor = await redactorFor({ redact: ['input.prompt', 'messages.*.content'] })
  const input = { prompt: 'a red "cat"', seed: 7 }
  const { request, response } = redactor.exchange(
    passed({
      body: { model: 'acme/image-1', input, messages: [{ role: 'user', content: { parts: ['a lake'] } }] },
      answer: { data: [{ id: 'task_1', input, error: 'no a red "cat" here' }], a: 'a lake' },
    }),
  )
  const redacted = { prompt: hash(input.prompt), seed: 7 }
  expect(jsonOf(request)).toEqual({
    model: 'acme/image-1',
    input: redacted,
    messages: [{ role: 'user', content: hash({ parts: ['a lake'] }) }],
  })
  expect(jsonOf(response)).toEqual({
    data: [{ id: 'task_1', input: redacted, error: `no ${hash(input.prompt)} here` }],
    a: hash('a lake'),
  })
})

it('words of the wire format and of the model are not looked for', async () => {
  const redactor = await redactorFor({ redact: ['input.*'] })
  const body = { model: 'acme/video-1', input: { task: 'video', state: 'succeeded' } }
  const { request, response } = redactor.exchange(
    passed({ body, answer: { status: 'succeeded', model: 'acme/video-1' } }),
  )
  expect(jsonOf(request)).toMatchObject({ model: 'acme/video-1', input: { task: hash('video') } })
  expect(jsonOf(response)).toEqual({ status: 'succeeded', model: 'acme/video-1' })
})

it('a body of a request is redacted for a comparison as in a recording', async () => {
  const settings = { redact: ['input.prompt'] }
  const body = { model: 'acme/image-1', input: { prompt: 'waves', image: 'https://a.test/b.png?w=512' } }
  const recorded = (await redactorFor(settings)).exchange(passed({ body })).request
  expect((await redactorFor(settings)).requestBody(body)).toEqual(jsonOf(recorded))
})

it.each(['', 'input..prompt', '*', '*.*'])('the place %j is rejected with an example', async (place) => {
  await expect(redactorFor({ redact: [place] })).rejects.toThrow('such as input.prompt or messages.*.content')
})

it('a form keeps its texts by the same rules, and hashes of its files', async () => {
  const body = [
    '--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nwaves and wind\r\n',
    '--b\r\nContent-Disposition: form-data; name="size[width]"\r\n\r\n512\r\n',
    '--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\nx\r\n',
    '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nabc\r\n',
    '--b--\r\n',
  ].join('')
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const { request } = (await redactorFor({ redact: ['prompt'] })).exchange(passed({ headers, body }))
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(request.body).toEqual({
    form: [
      { name: 'prompt', text: hash('waves and wind') },
      { name: 'size[width]', text: '512' },
      { name: 'client_secret', text: '***' },
      { name: 'image', file_name: 'a.png', content_type: 'image/png', bytes: 3, sha256 },
    ],
  })
  const encoded = { 'content-type': 'application/x-www-form-urlencoded' }
  const plain = (await redactorFor()).exchange(passed({ headers: encoded, body: 'token=abc&size=3' }))
  expect(plain.request.body).toEqual({
    form: [
      { name: 'token', text: '***' },
      { name: 'size', text: '3' },
    ],
  })
})

it('other bytes become a hash, or base64 if files are kept', async () => {
  const answer = new Uint8Array([0xff, 0, 1])
  const body = answer
  const { request, response } = (await redactorFor({}, 'tasks', true)).exchange(passed({ body, answer }))
  expect(request.body).toEqual({ bytes: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(response?.body).toEqual({ base64: '/wAB' })
})

it('a secret in two pieces of a stream is found, and pieces end with events', async () => {
  const redactor = await redactorFor({ redact: ['prompt'] })
  const { response } = redactor.exchange(
    passed({
      body: { prompt: 'waves and wind' },
      pieces: [
        [10, 'event: a\ndata: {"text":"waves '],
        [20, 'and wind"}\n\ndata: {"token":"x"}\n\n: ping\n\n'],
        [30, 'data: sk-abcdefghi'],
        [40, 'jklmnop1\n\ndata: [DONE]\n\n'],
      ],
    }),
  )
  expect(response?.pieces).toEqual([
    [20, `event: a\ndata: {"text":"${hash('waves and wind')}"}\n\ndata: {"token":"***"}\n\n: ping\n\n`],
    [40, 'data: ***\n\ndata: [DONE]\n\n'],
  ])
  expect(response?.body).toBeUndefined()
})

it('a webhook is written without its signature and the secrets of its URL', async () => {
  const { request, response } = (await redactorFor({ redact: ['input.prompt'] })).webhook(
    passed({
      url: 'https://app.test/hooks?id=7',
      headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': '1767225600', 'webhook-signature': 'v1,abc' },
      body: { data: { id: 'task_1', input: { prompt: 'waves' } } },
      status: 204,
      answer: 'secret',
    }),
  )
  expect(request).toEqual({
    method: 'POST',
    url: 'https://app.test/hooks?id=***',
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1', 'webhook-timestamp': '1767225600' },
    body: { json: { data: { id: 'task_1', input: { prompt: hash('waves') } } } },
  })
  expect(response).toEqual({ status: 204 })
})

it('without bodies, texts of inputs and outputs become hashes, and facts about tasks stay', async () => {
  const redactor = await redactorFor({ bodies: false })
  const input = { prompt: 'a red cat on a mat', duration: 5, resolution: '1080p', voice: 'alloy' }
  const { request, response } = redactor.exchange(
    passed({
      body: { model: 'acme/video-1', input },
      answer: {
        id: 'task_1',
        model: 'acme/video-1',
        status: 'failed',
        input,
        cost_usd: 0.25,
        created_at: '2026-11-22T10:00:00.000Z',
        error: { code: 'content_policy', message: 'Rejected: a red cat on a mat' },
        output: { video: 'https://cdn.test/a.mp4?sig=abc', text: 'Once upon', status: 'private' },
        unknown: 'note',
      },
    }),
  )
  expect(jsonOf(request)).toEqual({
    model: 'acme/video-1',
    input: { prompt: hash(input.prompt), duration: 5, resolution: '1080p', voice: hash('alloy') },
  })
  expect(jsonOf(response)).toEqual({
    id: 'task_1',
    model: 'acme/video-1',
    status: 'failed',
    input: { prompt: hash(input.prompt), duration: 5, resolution: '1080p', voice: hash('alloy') },
    cost_usd: 0.25,
    created_at: '2026-11-22T10:00:00.000Z',
    error: { code: 'content_policy', message: `Rejected: ${hash(input.prompt)}` },
    output: {
      video: expect.stringMatching(/^https:\/\/redacted\.invalid\/[0-9a-f]{32}\.mp4$/),
      text: hash('Once upon'),
      status: hash('private'),
    },
    unknown: hash('note'),
  })
})

const secret = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z0-9+/=_-]{14,40}$/),
    fc.constantFrom('', '"7', '\\n9', 'ü8', ' %2', "&'3"),
  )
  .map(([random, odd]) => `${random}${odd}4`)

/** The encodings in which a secret may have been written. */
const encodingsOf = (text: string) => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  encodeURIComponent(text).toLowerCase(),
  btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/.?=*$/, ''),
]

it('no planted secret is written, in any encoding and at any place', async () => {
  const place = fc.constantFrom<(text: string) => unknown>(
    (text) => text,
    (text) => `before ${text} after`,
    (text) => ({ note: text }),
    (text) => [{ [text]: 1 }],
    (text) => JSON.stringify({ deep: JSON.stringify({ text }) }),
    (text) => `https://cdn.test/${encodeURIComponent(text)}/a.png?x=${encodeURIComponent(text)}`,
    (text) => `${API}/next?q=${encodeURIComponent(text)}`,
    (text) => btoa(unescape(encodeURIComponent(`user:${text}`))),
    (text) => btoa(unescape(encodeURIComponent(text))),
    (text) => encodeURIComponent(text),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(secret, { minLength: 3, maxLength: 3 }),
      fc.array(place, { minLength: 1, maxLength: 4 }),
      fc.jsonValue(),
      async (secrets, places, noise) => {
        const [key = '', prompt = '', token = ''] = secrets
        const redactor = await redactorFor({ redact: ['input.prompt'] })
        const planted = secrets.flatMap((text) => places.map((put) => put(text)))
        const lines = [
          redactor.exchange(
            passed({
              headers: { authorization: `Bearer ${key}`, cookie: `s=${key}`, 'x-request-id': key },
              body: {
                model: 'acme/image-1',
                input: { prompt, seed: 1 },
                webhook_token: token,
                noise,
                planted,
              },
              answer: { planted, noise },
              answerHeaders: { location: `${API}/x?q=${encodeURIComponent(key)}` },
            }),
          ),
          redactor.exchange(
            passed({
              method: 'GET',
              url: `${API}/tasks/${encodeURIComponent(prompt)}?q=${encodeURIComponent(token)}`,
              status: 500,
              answer: `Failed: ${secrets.join(' ')}`,
            }),
          ),
          redactor.exchange(
            passed({
              pieces: [
                [1, `data: ${JSON.stringify({ planted }).slice(0, 9)}`],
                [2, `${JSON.stringify({ planted }).slice(9)}\n\n`],
              ],
            }),
          ),
          redactor.webhook(
            passed({ url: `https://app.test/${encodeURIComponent(prompt)}`, body: { planted } }),
          ),
        ].map(entryLine)
        const written = lines.join('')
        for (const text of secrets.flatMap(encodingsOf)) expect(written).not.toContain(text)
      },
    ),
  )
})
