import { describe, expect, it } from 'vitest'
import { entryLine, headerLine } from '../../../src/cli/record/recording-file.js'
import { Dialects } from '../../../src/dialects/dialects.js'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../src/engine/json.js'
import type { PassedExchange, PassedResponse } from '../../../src/record/recording/passed-exchange.js'
import { Redactor } from '../../../src/record/recording/redact/redactor.js'
import { isSecretField } from '../../../src/record/recording/redact/secret-names.js'
import { runs, sampleOf } from '../../support/deep.js'
import { hasHistory, historyFixture, observeRecording } from '../histories.js'
import { type PassedEntry, passedEntries } from '../passed-history.js'
import { passed, redactorFor } from './passed.js'
import { HEADER } from './recording-text.js'
import { ENCODED, foundIn, NAMED, NAMES, OTHER_NAMES, Secrets } from './secret-corpus.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The kinds of bodies in which a value is recorded. */
const BODIES: Readonly<Record<string, (value: JsonValue) => PassedExchange>> = {
  JSON: (note) =>
    passed({ body: { model: 'acme/image-1', input: { note } }, answer: { output: [{ note }] } }),
  text: (note) => passed({ answerHeaders: { 'content-type': 'text/plain' }, answer: textOf(note) }),
  'an error': (note) => passed({ status: 400, answer: { error: { message: note } } }),
  'a stream': (note) =>
    passed({
      pieces: [
        [1, `data: ${JSON.stringify({ note })}\n`],
        [2, '\n'],
      ],
    }),
  'a form': (note) =>
    passed({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ note: textOf(note) }).toString(),
    }),
  'a query': (note) => passed({ url: `https://api.example.com/v1?note=${encodeURIComponent(textOf(note))}` }),
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The dialect of the exchanges in {@link BODIES}. */
const tasks = await new Dialects().load('tasks')

/** Other names for each notation. */
function namesFor(index: number): readonly string[] {
  const few = runs(NAMES.length / 2, 1)
  return NAMES.filter((_, name) => (name + index) % few === 0)
}

describe.each(Object.entries(BODIES))('in %s', (_, exchange) => {
  it('a value with the name of a secret is not written, in any notation', () => {
    const failed: string[] = []
    for (const [index, [place, make]] of Object.entries(NAMED).entries())
      for (const name of namesFor(index)) {
        const secrets = new Secrets(1_000 * index + NAMES.indexOf(name))
        const made = make(name, secrets.letters())
        const line = entryLine(new Redactor(tasks, HEADER).exchange(exchange(made)))
        if (foundIn(line, secrets.made).length > 0) failed.push(`${place}: ${name}`)
      }
    expect(failed).toEqual([])
  })

  it('keys of known forms, random texts and the API key are not written, in any encoding', () => {
    const failed: string[] = []
    for (const [place, make] of Object.entries(ENCODED))
      for (const kind of ['key', 'random', 'known'] as const) {
        // Ids in paths look random, and so do bytes.
        if (kind === 'random' && /path|file|bytes/.test(place)) continue
        const secrets = new Secrets(place.length)
        const secret = kind === 'key' ? secrets.key() : secrets.random()
        const redactor = new Redactor(tasks, HEADER)
        if (kind === 'known') redactor.exchange(passed({ headers: { authorization: `Bearer ${secret}` } }))
        const line = entryLine(redactor.exchange(exchange(make(secret))))
        if (foundIn(line, secrets.made).length > 0) failed.push(`${place}: ${kind}`)
      }
    expect(failed).toEqual([])
  })
})

it('a secret in the pieces of a text that a stream sends is not written', async () => {
  for (const [place, make] of Object.entries(ENCODED))
    for (const size of sampleOf(1, [3, 7, 15])) {
      const secrets = new Secrets(size)
      const parts = make(secrets.key()).match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
      const pieces = parts.map((delta, index) => [index, `data: ${JSON.stringify({ delta })}\n\n`] as const)
      const { response } = (await redactorFor()).exchange(passed({ pieces }))
      const deltas = (response?.pieces ?? []).flatMap(([, text]) =>
        [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).delta),
      )
      expect(foundIn(deltas.join(''), secrets.made), `${place}, pieces of ${size}`).toEqual([])
    }
})

it.each(OTHER_NAMES)('the field %s is not a secret', async (name) => {
  expect(isSecretField(name, 'a word')).toBe(false)
  const body = {
    model: 'acme/image-1',
    input: { [name]: 'some value' },
    text: `${name}=value ${name}: value`,
  }
  const { request } = (await redactorFor()).exchange(passed({ body }))
  expect(request.body).toEqual({ json: body })
})

it('numbers with the name of a secret are removed, if they could be one', async () => {
  const body = { pin: 4821, otp: '482913', token_count: 4821, pass: 2, private: true, session_timeout: 3600 }
  const { request } = (await redactorFor()).exchange(passed({ body }))
  expect(request.body).toEqual({ json: { ...body, pin: '***', otp: '***' } })
})

it('ids stay, wherever the service shows them, and other random texts do not', async () => {
  const id = 'rrr4z55ocneqzikepnug6xezpe'
  const version = '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa'
  const answer = {
    id,
    version,
    logs: `prediction ${id} started`,
    urls: { get: `https://api.example.com/v1/predictions/${id}` },
    output: [`https://cdn.example/xezq/B3kWt4xM9vQz7LpR2sNyHc/out-0.png`],
    next: `https://api.example.com/v1/predictions?cursor=cD0yMDI2LTExLTIyKzEwJTNBMDAlM0EwMC4w`,
  }
  const { response } = (await redactorFor()).exchange(passed({ answer }))
  expect(response?.body).toEqual({ json: answer })
  const other = { note: 'use B3kWt4xM9vQz7LpR2sNyHc' }
  expect((await redactorFor()).exchange(passed({ answer: other })).response?.body).toEqual({
    json: { note: 'use ***' },
  })
})

const FORM = { 'content-type': 'multipart/form-data; a="boundary=z"; boundary=q' }
const part = (head: string, value: string) =>
  `--q\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n--q--`
const EVENTS = { 'content-type': 'text/event-stream' }

it.each<[string, (secret: string) => PassedExchange]>([
  ['a part whose name is not quoted', (secret) => passed({ headers: FORM, body: part('name=pin', secret) })],
  [
    'a part whose name is encoded',
    (secret) => passed({ headers: FORM, body: part("name*=UTF-8''pin", secret) }),
  ],
  [
    'the type of a part',
    (secret) =>
      passed({
        headers: FORM,
        body: part(`name="a"; filename="b"\r\nContent-Type: a/b; key="Bearer ${secret}"`, 'x'),
      }),
  ],
  [
    'a pair of fields of a form',
    (secret) =>
      passed({
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `headers[0][name]=X-Api-Key&headers[0][value]=${secret}`,
      }),
  ],
  [
    'the parts of a stream of plain texts',
    (secret) =>
      passed({
        headers: { 'x-api-key': secret },
        answerHeaders: EVENTS,
        pieces: [...secret].map((letter, index) => [index, `event: output\ndata: ${letter}\n\n`]),
      }),
  ],
  [
    'a text that was the quoted value of a cookie',
    (secret) => passed({ headers: { cookie: `a="${secret}"; b=1` }, answer: { note: secret } }),
  ],
  [
    'a text that was the password of a header',
    (secret) =>
      passed({
        headers: { authorization: `Basic ${btoa(`ann:${secret}`)}` },
        answer: { note: `It is ${secret}` },
      }),
  ],
])('%s has no secret', async (_, exchange) => {
  const secrets = new Secrets(5)
  const line = entryLine((await redactorFor()).exchange(exchange(secrets.letters())))
  expect(foundIn(line.replace(/\\n|event: output|data: |[^A-Za-z]/g, ''), secrets.made)).toEqual([])
})

it.each([
  'a pin-up girl in a 1950s-style diner, neon sign "OPEN 24/7"',
  'Session | Time\n--- | ---\nMorning | 08:30',
  'Session -> Verse2 -> Chorus',
  'private island, drone shot --ar 16:9 --seed 1234567890 --no text',
  '<lora:my_private_style_v3:0.7> a **bold** cat, rgb(255, 128, 64), 10 20 30 40 50 60 70 80',
  'tags: "private", "1950s-style", "session"',
  'name: private_room\nvalue: warm_light',
  'the session is over, the pin is on the map, and the cookie was half-eaten',
  'Cast: hero, sidekick\nSession, Take, Note\nmorning, two, crane shot',
  'a b c d e f g h i j k l m n',
  'key: pastel, token: none; style is 3d-render, cookie/token/crumbs',
  'MASTERPIECE2024 ULTRAHD4K, sd_xl_base_1.0_0.9vae.safetensors',
])('the prompt %j stays', async (prompt) => {
  const body = { model: 'acme/image-1', input: { prompt, words: prompt.split(' ') } }
  const { request } = (await redactorFor()).exchange(passed({ body }))
  expect(request.body).toEqual({ json: body })
})

it('an output file that is a text has no secrets, and other files stay as they are', async () => {
  const redactor = await redactorFor()
  const file = (bytes: Uint8Array) =>
    redactor.file({ at: 0, url: 'https://cdn.example/a', contentType: 'text/plain', bytes })
  const secrets = new Secrets(1)
  const text = JSON.stringify({ note: `é ${secrets.key()}`, pin: secrets.letters() })
  const { base64 } = file(encoder.encode(text))
  expect(decoder.decode(Buffer.from(base64, 'base64'))).toBe('{"note":"é ***","pin":"***"}')
  const bytes = Uint8Array.of(0xff, 0xd8, 0, 1)
  expect(file(bytes).base64).toBe(Buffer.from(bytes).toString('base64'))
})

it('JSON that is nested too deep becomes a placeholder', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  for (const levels of [101, 3_000, 100_000]) {
    const { request, response } = (await redactorFor()).exchange(
      passed({ body: `{"model":"m","x":${deep(levels)},"pin":"abc"}`, answer: { text: deep(levels) } }),
    )
    const placeholder = `${'['.repeat(99)}"[nested more than 100 levels deep]"${']'.repeat(99)}`
    expect(JSON.stringify(request.body)).toBe(`{"json":{"model":"m","x":${placeholder},"pin":"***"}}`)
    expect(response?.body).toEqual({ json: { text: deep(levels) } })
  }
})

it('texts that start in the same way are told from each other', async () => {
  const texts = Array.from({ length: 500 }, (_, index) => `${'a red cat '.repeat(index % 50)}on mat ${index}`)
  const redactor = await redactorFor({ redact: ['input.texts.*'] })
  const { request, response } = redactor.exchange(
    passed({ body: { model: 'm', input: { texts } }, answer: { echo: texts, other: 'a red cat on a mat' } }),
  )
  const hashes = request.body !== undefined && 'json' in request.body ? request.body.json : undefined
  expect(response?.body).toEqual({
    json: { echo: (hashes as { input: { texts: string[] } }).input.texts, other: 'a red cat on a mat' },
  })
  expect(new Set((hashes as { input: { texts: string[] } }).input.texts).size).toBe(500)
})

describe.each(sampleOf(3, new Dialects().names.filter(hasHistory)))(
  'a recording of a client of %s with secrets at every place',
  (dialect) => {
    it('has none of them, and shows the same tasks', async () => {
      const history = historyFixture(dialect)
      const secrets = new Secrets(dialect.length)
      const entries = passedEntries(history)
      const planted = entries.map((entry) => withSecrets(entry, new Planter(secrets)))
      const text = await record(dialect, planted)
      expect(secrets.made.length).toBeGreaterThan(10 * entries.length)
      expect(foundIn(text, secrets.made)).toEqual([])
      const facts = (await observeRecording(text)).map(({ id, model, status }) => ({ id, model, status }))
      expect(facts).toEqual(
        (await observeRecording(await record(dialect, entries))).map(({ id, model, status }) => ({
          id,
          model,
          status,
        })),
      )
    })
  },
)

async function record(name: string, entries: readonly PassedEntry[]): Promise<string> {
  const dialect = await new Dialects().load(name)
  const origins = dialect.hosts.map(({ origin }) => origin)
  const header = { ...HEADER, dialect: name, upstream: origins.length > 0 ? origins : HEADER.upstream }
  const redactor = new Redactor(dialect, header)
  const lines = entries.map(({ isWebhook, passed }) =>
    entryLine(isWebhook ? redactor.webhook(passed) : redactor.exchange(passed)),
  )
  return headerLine(header) + lines.join('')
}

/** Places secrets in turn: each place gets another notation, name and encoding. */
class Planter {
  static #count = 0
  readonly #secrets: Secrets

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  /** A value with a secret, which its name, its form or nothing tells. */
  value(): JsonValue {
    const count = Planter.#count++
    const [named, encoded] = [Object.values(NAMED), Object.values(ENCODED)]
    if (count % 3 === 0) return encoded[(count / 3) % encoded.length]?.(this.#secrets.key()) ?? null
    return named[count % named.length]?.(this.name(), this.#secrets.letters()) ?? null
  }

  name(): string {
    return NAMES[Planter.#count++ % NAMES.length] ?? ''
  }

  text(): string {
    return textOf(this.value())
  }

  secret(): string {
    return this.#secrets.letters()
  }

  /** Adds a secret to every object in a value. */
  into(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.into(item))
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).map(([name, inner]) => [name, this.into(inner)])
    const all: JsonObject = Object.fromEntries(entries)
    // An object with the values of anything, such as the names of files, must keep its form.
    return { ...all, x_note: this.value(), [this.name()]: this.secret() }
  }
}

function withSecrets({ isWebhook, passed: exchange }: PassedEntry, planter: Planter): PassedEntry {
  const { request, response } = exchange
  const url = new URL(request.url)
  if (!isWebhook) {
    url.searchParams.append(planter.name(), planter.secret())
    url.searchParams.append('x_note', planter.text())
  }
  return {
    isWebhook,
    passed: {
      ...exchange,
      request: {
        ...request,
        url: url.href,
        headers: withHeaders(request.headers, planter),
        body: withBody(request.body, planter),
      },
      response: response && answerWithSecrets(response, planter),
    },
  }
}

function withHeaders(headers: Readonly<Record<string, string>>, planter: Planter): Record<string, string> {
  return {
    ...headers,
    [`x-${planter.name()}`.toLowerCase()]: planter.secret(),
    cookie: `a=b; ${planter.name()}=${planter.secret()}`,
    'x-request-id': `req_1 ${planter.name()}=${planter.secret()}`,
    location: `/v1/x?${planter.name()}=${planter.secret()}`,
  }
}

function answerWithSecrets(response: PassedResponse, planter: Planter): PassedResponse {
  const { headers, pieces } = response
  const stream = pieces?.map(([after, text]) => [after, text] as const)
  return {
    ...response,
    headers: withHeaders(headers, planter),
    body: withBody(response.body, planter),
    ...(stream !== undefined && {
      pieces: [...stream, [9_999, `data: ${JSON.stringify({ x_note: planter.value() })}\n\n`]],
    }),
  }
}

function withBody(body: Uint8Array, planter: Planter): Uint8Array {
  const text = decoder.decode(body)
  const json = parseJson(text)
  if (json !== undefined) return encoder.encode(JSON.stringify(planter.into(json)))
  const [, boundary] = /^--(\S+)\r\n/.exec(text) ?? []
  if (boundary === undefined) return body
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  return encoder.encode(part(planter.name(), planter.secret()) + part('x_note', planter.text()) + text)
}
