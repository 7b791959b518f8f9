import { createSimulator } from '../../../src/index.js'
import { JsonElements } from '../../../src/record/history/json-elements.js'
import type { PassedExchange } from '../../../src/record/recording/passed-exchange.js'
import { Redactor } from '../../../src/record/recording/redact/redactor.js'
import { type Check, expectThat } from '../../support/check.js'

const SIZE = 1_000_000
/** Microseconds of CPU time for each character of a text that consists of parts of secrets. */
const MOST_FOR_CHARACTER = 5
/** Milliseconds of CPU time for a body with many texts or levels. */
const MOST_FOR_BODY = 3_000

const encoder = new TextEncoder()
const SETTINGS = { upstream: ['https://api.example.com'], salt: '0123456789abcdef0123456789abcdef' }

/** Parts of secrets, URLs, names and encodings. A search that starts again at each of them would never end. */
const PARTS: readonly string[] = [
  ...['a=', 'password="', "token='", 'pin: ', '<password>', '<pin>x', '<a ', '&a=b', '?&', '@', '//a@'],
  ...['http://', 'https://x?', 'https://x?a=1&', 'http://:@', "'http:", '"http:', '%25', '%41', '%2525'],
  ...[
    '\\',
    '\\"',
    '\\u0041',
    '&amp;',
    '&#x41;',
    'eyJ',
    'eyJaaaaa-',
    'eyJaaaaaa.',
    '-----BEGIN PRIVATE KEY-----',
  ],
  ...[
    '-----BEGIN ',
    'data:',
    'data:a;b=c,',
    '{"',
    '[[',
    '{"a":',
    '["',
    '{"a":"{',
    '<name>pin</name>',
    'value="x" ',
  ],
  ...['content-disposition: name="pin"\n', 'name="password" ', "value='x' name='", '\n', ' ', '\r\n data: '],
  ...[
    'deadbeef',
    'Bearer ',
    'Set-Cookie: ',
    '"',
    'a',
    'aB3x',
    'AAAA',
    'YWFhYWFh',
    '/',
    'sk-',
    'bot123456:',
    '=',
    'é',
  ],
  ...['" + "', '", "', '"a","', '\u200b', '**', '<b>', ']]><![CDATA[', '\u001b[0m', 'MFRGG2ZT', 'mfrgg2zt '],
  ...[
    '73 ',
    '736b ',
    '0x73, ',
    '115, ',
    '1 ',
    '--pin ',
    'env ',
    'login ',
    'pin\t',
    'pin "',
    "('pin', ",
    '("',
  ],
  ...[
    'pin | ',
    'pin -> ',
    'pin: a = ',
    'pin: |\n',
    'pin: - ',
    'pin: !a ',
    'pin\n',
    '“',
    "'''",
    '-u a:',
    '--user ',
  ],
  ...[
    'name: pin\nvalue: ',
    'value: x\n',
    '<pin value="',
    '<input type="password" value=',
    ' value=a',
    '--b\n',
  ],
  ...[
    'user,pin\n',
    'user,pin\na,aB3x\n',
    '| a | pin |\n',
    'user  pin\n',
    '(a,pin) values (',
    '(pin,a) values (1,2),',
    '<tr><th>pin</th><th>a</th>',
    '<th>pin</th>',
    '<th>pin',
    '<td>',
    '/token/',
    '/token/aB3x',
    'my pin is ',
    'pin is aB3x ',
    'api key: ',
    'a b ',
    's-k-',
    '00000000: 7365 6372  se\n',
    '00000000: 7365 ',
    '%e2%80%8b',
    '%c3',
    'pin: f("',
    'pin: a: ',
    '["pin", ',
    '=a+',
  ],
]

const parts: Check = {
  title: 'a recording removes secrets from 1 MB of any part of a secret in linear time',
  async run(figure) {
    const dialect = await createSimulator().dialects.load('tasks')
    let worst = { part: '', microseconds: 0 }
    for (const part of PARTS) {
      const text = part.repeat(SIZE / part.length)
      const milliseconds = costOf(new Redactor(dialect, SETTINGS), exchange(JSON.stringify({ text })))
      const microseconds = (1_000 * milliseconds) / SIZE
      if (microseconds > worst.microseconds) worst = { part, microseconds }
    }
    figure(
      `at most ${worst.microseconds.toFixed(1)} µs of CPU time for each character, of ${JSON.stringify(worst.part)}`,
    )
    expectThat(
      worst.microseconds <= MOST_FOR_CHARACTER,
      `Expected at most ${MOST_FOR_CHARACTER} µs for each character`,
    )
  },
}

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))
const levels = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`

/** Requests with the texts that the user redacts, and the answers in which these are looked for. */
const BODIES: Readonly<Record<string, () => readonly [request: string, answer: string]>> = {
  '8,000 texts with the same 12 characters': () =>
    echoed(repeat(8_000, (index) => `a red cat on ${index} mats by the sea`)),
  '8,000 texts with the same 200 characters': () =>
    echoed(repeat(8_000, (index) => `${'a red cat '.repeat(20)}${index}`)),
  '2,000 texts that begin with each other': () => [
    order(repeat(2_000, (index) => `${'a'.repeat(index + 5)}b`)),
    JSON.stringify('a'.repeat(300_000)),
  ],
  'texts of 1,000 lengths': () => [
    order(repeat(8_000, (index) => `the same start of all ${'x'.repeat(index % 1_000)}${index}`)),
    JSON.stringify('the same start of all '.repeat(20_000)),
  ],
  '2,000,000 levels': () => [`{"model":"m","input":{"texts":${levels(2_000_000)}}}`, levels(2_000_000)],
  '2,000,000 levels in a text': () => [order([]), JSON.stringify(levels(2_000_000))],
  '2,000,000 levels that do not end': () => [order([]), '['.repeat(2_000_000)],
}

const bodies: Check = {
  title: 'a recording keeps exchanges with thousands of similar texts and millions of levels',
  async run(figure) {
    const dialect = await createSimulator().dialects.load('tasks')
    for (const [name, make] of Object.entries(BODIES)) {
      const redactor = new Redactor(dialect, { ...SETTINGS, redact: ['input.texts.*'] })
      const milliseconds = costOf(redactor, exchange(...make()))
      figure(`${name}: ${Math.round(milliseconds)} ms of CPU time`)
      expectThat(milliseconds <= MOST_FOR_BODY, `Expected at most ${MOST_FOR_BODY} ms`)
    }
  },
}

/** Of a file, in characters, as it is read. */
const PIECE = 65_536
const LONG = 50_000_000
/** Microseconds of CPU time for each character of a value that arrives in pieces. */
const MOST_FOR_SPLITTING = 0.1

const longValue: Check = {
  title: 'a value of 50 MB in a HAR file is read in linear time',
  async run(figure) {
    const text = `{"log":{"entries":[{"a":"${'x'.repeat(LONG)}"},{"b":1}]}}`
    const elements = new JsonElements('entries', 2)
    const begin = process.cpuUsage()
    let found = 0
    for (let at = 0; at < text.length; at += PIECE) found += elements.add(text.slice(at, at + PIECE)).length
    found += elements.end().length
    const { user, system } = process.cpuUsage(begin)
    const microseconds = (user + system) / LONG
    figure(`${microseconds.toFixed(3)} µs of CPU time for each character`)
    expectThat(found === 2, `Expected 2 entries, got ${found}`)
    expectThat(microseconds <= MOST_FOR_SPLITTING, `Expected at most ${MOST_FOR_SPLITTING} µs`)
  },
}

export const recordings: readonly Check[] = [parts, bodies, longValue]

/** The CPU time in milliseconds for which the exchange is redacted. */
function costOf(redactor: Redactor, passed: PassedExchange): number {
  const begin = process.cpuUsage()
  redactor.exchange(passed)
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1_000
}

function order(texts: readonly string[]): string {
  return JSON.stringify({ model: 'acme/image-1', input: { texts } })
}

function echoed(texts: readonly string[]): readonly [string, string] {
  return [order(texts), JSON.stringify({ echo: texts })]
}

function exchange(body: string, answer = '{}'): PassedExchange {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer abcd1234efgh5678' }
  const url = 'https://api.example.com/api/v1/tasks'
  return {
    at: 0,
    took: 1,
    isOwn: false,
    request: { method: 'POST', url, headers, body: encoder.encode(body) },
    response: { status: 200, headers, body: encoder.encode(answer) },
  }
}
