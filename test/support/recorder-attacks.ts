/** Bytes that a recorder of the base URL `/base` receives, and what it does with them. */
export interface RecorderAttack {
  readonly title: string
  readonly bytes: string
  /** Matches the answer. */
  readonly answer: RegExp
  /** What reaches the service. */
  readonly targets: readonly string[]
}

const HOST = 'Host: localhost'

const request = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n')

const FOREIGN: readonly RecorderAttack[] = [
  {
    title: 'a foreign Host',
    bytes: request('/tasks', 'Host: evil.example'),
    answer: /^HTTP\/1\.1 403 .*The API cannot be reached as \\?"evil\.example/s,
    targets: [],
  },
  {
    title: 'a page of another origin',
    bytes: request('/tasks', HOST, 'Origin: https://evil.example'),
    answer: /^HTTP\/1\.1 403 .*Pages of https:\/\/evil\.example/s,
    targets: [],
  },
  {
    title: 'a page of no origin',
    bytes: request('/tasks', HOST, 'Origin: null'),
    answer: /^HTTP\/1\.1 403 .*Pages of null/s,
    targets: [],
  },
  {
    title: 'two hosts',
    bytes: request('/tasks', HOST, 'Host: evil.example'),
    answer: /^HTTP\/1\.1 400 .*more than one Host header/s,
    targets: [],
  },
  {
    title: 'no Host',
    bytes: request('/tasks', 'Accept: */*'),
    answer: /^HTTP\/1\.1 400 .*no Host header/s,
    targets: [],
  },
]

const LEAVING: readonly RecorderAttack[] = [
  ...['/api/../../admin', '/api/..', '/../admin', '/api/%2e%2e/%2e%2e/admin', '/api/.%2E/admin'],
  ...['/api/%252e%252e/admin', '/api/%25252e./admin', '/api/..%2f..%2fadmin', '/api/..%5c..%5cadmin'],
  ...['/api/..\\..\\admin', '/api\\..\\..\\admin', '/api/..;/admin', '/api/..%3bx=1/admin'],
  ...['/api/..%00/admin', '/api/..%09/admin', 'http://127.0.0.1/api/../../admin'],
  'http://evil.example/api/%2e%2e/admin',
].map((target) => ({
  title: `the target ${target}, which could leave the base URL`,
  bytes: request(target, HOST),
  answer: /^HTTP\/1\.1 400 .*`\.\.`/s,
  targets: [],
}))

const TARGETS: readonly (readonly [target: string, reaches: readonly string[]])[] = [
  ['//evil.example/tasks', ['/base//evil.example/tasks']],
  ['/\\evil.example/tasks', ['/base//evil.example/tasks']],
  ['http://evil.example/tasks', ['/base/tasks']],
  ['http://evil.example', ['/base']],
  ['https://user:pw@evil.example/tasks?q=..', ['/base/tasks?q=..']],
  ['/@evil.example/a..b/...', ['/base/@evil.example/a..b/...']],
  ['/tasks?next=http://evil.example/../', ['/base/tasks?next=http://evil.example/../']],
  ['http://evil.example/_sim/health', []],
  ['ftp://evil.example/tasks', []],
  ['*', []],
]

const UPGRADES: readonly RecorderAttack[] = [
  {
    title: 'an upgrade',
    bytes: `GET /tasks HTTP/1.1\r\n${HOST}\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    answer: /^HTTP\/1\.1 400 .*do not pass/s,
    targets: [],
  },
  {
    title: 'CONNECT',
    bytes: 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n',
    answer: /^HTTP\/1\.1 405 .*CONNECT is not supported/s,
    targets: [],
  },
  {
    title: 'TRACE',
    bytes: `TRACE /tasks HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
    answer: /^HTTP\/1\.1 405 .*TRACE/s,
    targets: [],
  },
]

/** A second request that two readers of the first one see in different places. */
const SMUGGLED = 'GET /base/admin HTTP/1.1\r\nHost: localhost\r\n\r\n'
const CHUNKED = `0\r\n\r\n${SMUGGLED}`

const FRAMINGS: readonly RecorderAttack[] = [
  ['a length and chunks', `Content-Length: ${CHUNKED.length}\r\nTransfer-Encoding: chunked`, CHUNKED],
  ['chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: ${CHUNKED.length}`, CHUNKED],
  ['two lengths', `Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}`, SMUGGLED],
  ['a list of lengths', `Content-Length: 0, ${SMUGGLED.length}`, SMUGGLED],
  ['a length with a sign', 'Content-Length: +0', SMUGGLED],
  ['a negative length', 'Content-Length: -1', SMUGGLED],
  ['a space before the colon', 'Transfer-Encoding : chunked', CHUNKED],
  ['chunks that are not last', 'Transfer-Encoding: chunked, identity', CHUNKED],
  ['an unknown encoding', 'Transfer-Encoding: xchunked', CHUNKED],
  ['a line feed in place of a line break', `X: 1\nContent-Length: 0`, SMUGGLED],
  ['a return in place of a line break', `X: 1\rContent-Length: 0`, SMUGGLED],
  ['a control in a value', 'X: \u0000', ''],
  ['a chunk of a wrong size', 'Transfer-Encoding: chunked', '-1\r\n\r\n'],
  ['a chunk without an end', 'Transfer-Encoding: chunked', `1\r\nab${SMUGGLED}`],
  ['a line that continues', 'X: 1\r\n Transfer-Encoding: chunked', ''],
].map(([title, headers, body]) => ({
  title: `${title}`,
  bytes: `POST /tasks HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n${headers}\r\n\r\n${body}`,
  answer: /^HTTP\/1\.1 4\d\d /,
  targets: [],
}))

/** Attacks on a recorder by bytes of one connection. */
export const RECORDER_ATTACKS: readonly RecorderAttack[] = [
  ...FOREIGN,
  ...LEAVING,
  ...TARGETS.map(([target, targets]) => ({
    title: `the target ${target}`,
    bytes: request(target, HOST),
    answer: targets.length > 0 ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 [24]\d\d /,
    targets,
  })),
  ...UPGRADES,
  ...FRAMINGS,
]

/** What a service answers to switch to another protocol. */
export const SWITCHING: readonly string[] = [
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
]
