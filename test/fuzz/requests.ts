import fc from 'fast-check'
import { AIMED, NEAR_BODIES, near, SCENARIOS } from './near.js'

/** A generated request, with placeholders for existing ids. */
export interface WildRequest {
  readonly method: string
  /** Contains `$task`, `$sandbox` and `$key` in place of existing ids. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

const PATHS = [
  ...['', '/$task', '/$task/cancel'].flatMap((end) => [`/api/v1/tasks${end}`, `/v1/task${end}`]),
  ...['health', 'state', 'metrics', 'clock', 'reset', 'scenario', 'journal', 'stream', 'findings'],
  ...['tasks', 'tasks/$task', 'tasks/$task/finish', 'tasks/$task/hold', 'tasks/$task/release'],
  ...['receivers', 'receivers/rcv_1', 'deliveries', 'deliveries/dlv_00000001'],
  ...['deliveries/dlv_00000001/redeliver', 'webhooks/trigger', 'sandboxes', 'sandboxes/$sandbox'],
].map((path) => (path.startsWith('/') ? path : `/_sim/${path}`))

const junk = fc
  .string({ unit: 'binary-ascii', maxLength: 12 })
  .map((text) => text.replace(/[^!-~]|[?#]/g, '~'))

const path = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...PATHS) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...PATHS).map((known) => known.replace('/_sim', '/_sim/sandboxes/$sandbox')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/files/$task/0.png', '/files/$sandbox/$task/0.png', '/files/$task/9.mp4'),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...PATHS), junk, fc.nat(30))
      .map(([known, text, at]) => known.slice(0, at) + text + known.slice(at)),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.oneof(junk, fc.constantFrom('..', '.', '', '%2e%2e', '%2f', '%00', '%')), { maxLength: 6 })
      .map((parts) => `/${parts.join('/')}`),
  },
)

const NAMES = [
  'limit',
  'after',
  'status',
  'model',
  'kind',
  'key',
  'text',
  'type',
  'task',
  'operation',
  'since',
  'until',
  'receiver',
  'state',
  'token',
  'expires',
  'signature',
]

const query = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), fc.oneof(near, fc.string({ maxLength: 20 }))), { maxLength: 3 })
  .map((pairs) => String(new URLSearchParams(pairs.map(([name, value]) => [name, text(value)]))))

/** Converts any value to the text of a parameter. */
function text(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 200)
}

const printable = fc.string({ unit: fc.constantFrom(...'abc=,;:/ "\'\\{}[]()*0123.-_%'), maxLength: 30 })

/** Nearly always undefined, because the first of many invalid headers rejects a request. */
const rarely = (value: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

const headers = fc
  .record({
    authorization: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('Bearer sk_live_local', 'Bearer $key', 'Bearer $key.alice') },
      { weight: 1, arbitrary: printable },
    ),
    'content-type': fc.oneof(
      { weight: 20, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: printable },
    ),
    'x-sim': rarely(
      fc.oneof(
        fc.constantFrom(
          'outcome=failed',
          'after=1h',
          'fault=503',
          'fault=lost',
          'cost=2',
          'outcome=stuck fault=empty',
        ),
        printable,
      ),
    ),
    'x-sim-sandbox': rarely(fc.oneof(fc.constant('$sandbox'), printable)),
    'last-event-id': rarely(fc.oneof(fc.nat().map(String), printable)),
    range: rarely(fc.oneof(fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=999-'), printable)),
    'if-none-match': rarely(printable),
    'if-modified-since': rarely(printable),
    'content-encoding': rarely(fc.constantFrom('gzip', 'identity', '')),
    origin: rarely(fc.oneof(fc.constantFrom('null', 'http://localhost'), printable)),
    host: rarely(fc.oneof(fc.constantFrom('localhost', 'a b', ''), printable)),
  })
  .map((given) => {
    const pairs = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined)
    return Object.fromEntries(pairs)
  })

const utf8 = new TextEncoder()

const body = fc.oneof(
  { weight: 10, arbitrary: NEAR_BODIES.map((value) => utf8.encode(JSON.stringify(value))) },
  { weight: 1, arbitrary: SCENARIOS.map((value) => utf8.encode(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }).map((text) => utf8.encode(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)) },
)

const wild: fc.Arbitrary<WildRequest> = fc.record({
  method: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...METHODS) },
    { weight: 1, arbitrary: fc.constantFrom('TRACE', 'PROPFIND', 'constructor', '__proto__', 'toString') },
  ),
  path,
  query,
  headers,
  body,
})

export const wildRequest: fc.Arbitrary<WildRequest> = fc
  .tuple(wild, fc.option(AIMED, { freq: 2 }))
  .map(([request, target]) => ({ ...request, ...target }))
