import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TasksimServer } from '../../bench/tasksim-server.js'
import { exchangeBytes } from '../../support/exchange-bytes.js'
import { RECORDER_ATTACKS, SWITCHING } from '../../support/recorder-attacks.js'
import { type Attack, expectThat } from '../attack.js'
import { peakMemoryOf } from '../peak-memory.js'
import { Stalls } from '../stalls.js'

const MB = 1024 * 1024
/** How many slow clients, and how many slow answers. */
const SLOW = 200
/** The longest time that another request waits beside them, in milliseconds. */
const LONGEST_WAIT = 1_000
/** Of the process with bodies of 100 MB, in MB. */
const MOST_MEMORY = 400
const JSON_TYPE = { 'content-type': 'application/json' }

interface Recorded {
  readonly recorder: TasksimServer
  readonly origin: string
  /** The recording so far. */
  readonly text: () => string
}

/** Runs an attack on a recorder of the compiled command line, in front of a service at `/base`. */
async function withRecorder(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  attack: (recorded: Recorded, service: Server) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-recorder-'))
  const out = join(folder, 'recording.jsonl')
  const service = createServer({ requestTimeout: 0 }, answer).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const upstream = `http://127.0.0.1:${(service.address() as AddressInfo).port}/base`
  const recorder = await TasksimServer.start('record', '--upstream', upstream, '--out', out, '--poll', '0')
  try {
    const origin = `http://127.0.0.1:${recorder.port}`
    await attack({ recorder, origin, text: () => readFileSync(out, 'utf8') }, service)
  } finally {
    await recorder.end()
    service.closeAllConnections()
    service.close()
    rmSync(folder, { recursive: true })
  }
}

const bytes: Attack = {
  title:
    'a recorder passes on no request of another host or page, outside its base URL, or with two framings',
  async run(figure) {
    let targets: string[] = []
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      targets.push(request.url ?? '')
      request.resume().on('end', () => response.writeHead(200, JSON_TYPE).end('{}'))
    }
    await withRecorder(answer, async ({ origin }) => {
      for (const { title, bytes, answer, targets: expected } of RECORDER_ATTACKS) {
        targets = []
        const got = await exchangeBytes(origin, bytes)
        expectThat(answer.test(got), `${title}: expected ${answer}, got ${got.slice(0, 300)}`)
        expectThat(
          JSON.stringify(targets) === JSON.stringify(expected),
          `${title}: expected ${JSON.stringify(expected)} at the service, got ${JSON.stringify(targets)}`,
        )
      }
      figure(
        `${RECORDER_ATTACKS.length} requests, ${RECORDER_ATTACKS.filter(isRejected).length} of them rejected`,
      )
    })
  },
}

const isRejected = ({ targets }: (typeof RECORDER_ATTACKS)[number]) => targets.length === 0

const switching: Attack = {
  title: 'a recorder answers 502 if a service switches to another protocol',
  async run(figure) {
    let head = ''
    await withRecorder(
      () => {},
      async ({ origin }, service) => {
        service.on('connection', (socket: Socket) => socket.once('data', () => socket.write(head)))
        for (const each of SWITCHING) {
          head = each
          const response = await fetch(`${origin}/tasks`)
          expectThat(response.status === 502, `${JSON.stringify(each)}: expected 502, got ${response.status}`)
          const text = await response.text()
          expectThat(
            text.includes('101 Switching Protocols'),
            `Expected the reason, got ${text.slice(0, 200)}`,
          )
        }
        figure(`${SWITCHING.length} answers`)
      },
    )
  },
}

const head = (...lines: readonly string[]) =>
  ['GET /tasks HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n')

/** Heads that are too large, with their expected statuses. */
const HEADS: Readonly<Record<string, string>> = {
  'a header of 1 MB': head(`X: ${'x'.repeat(MB)}`),
  '20,000 headers': head(...Array.from({ length: 20_000 }, (_, index) => `X-${index}: 1`)),
  'a target of 1 MB': head().replace('/tasks', `/${'x'.repeat(MB)}`),
  'a method of 1 MB': head().replace('GET', 'G'.repeat(MB)),
}

/** The body of each request and its answer. Another attack has bodies with many texts, whose secrets take longer to find. */
const BODIES: Readonly<Record<string, () => readonly [type: string, body: string | Buffer]>> = {
  '100 MB of zeros': () => ['application/octet-stream', Buffer.alloc(100 * MB)],
  '100 MB of text': () => ['application/json', `"${'x'.repeat(100 * MB)}"`],
  '2,000,000 levels': () => ['application/json', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
}

const large: Attack = {
  title: 'large heads and bodies pass through a recorder, or are rejected, within its memory',
  async run(figure) {
    let received = 0
    const echo = (request: IncomingMessage, response: ServerResponse) => {
      request.on('data', (piece: Buffer) => {
        received += piece.length
      })
      response.writeHead(200, { 'content-type': request.headers['content-type'] ?? '' })
      request.pipe(response)
    }
    await withRecorder(echo, async ({ recorder, origin, text }) => {
      const stalls = new Stalls(recorder)
      try {
        for (const [name, bytes] of Object.entries(HEADS)) {
          const answer = await exchangeBytes(origin, bytes)
          expectThat(/^HTTP\/1\.1 4\d\d /.test(answer), `${name}: expected 4xx, got ${answer.slice(0, 100)}`)
        }
        expectThat(received === 0, 'Expected that no large head reaches the service')
        for (const [name, make] of Object.entries(BODIES)) {
          const [type, body] = make()
          received = 0
          const send = async () => {
            const headers = { 'content-type': type }
            const response = await fetch(`${origin}/tasks`, {
              method: 'POST',
              headers,
              body: new Uint8Array(Buffer.from(body)),
            })
            const got = (await response.arrayBuffer()).byteLength
            expectThat(got === Buffer.byteLength(body), `${name}: ${got} bytes came back`)
          }
          await stalls.measure(name, send, figure)
        }
        const peak = Math.round(peakMemoryOf(recorder.pid))
        figure(`${peak} MB  peak memory, ${Math.round(text().length / MB)} MB recorded`)
        expectThat(peak <= MOST_MEMORY, `Expected at most ${MOST_MEMORY} MB, got ${peak} MB`)
        stalls.check()
      } finally {
        await stalls.end()
      }
    })
  },
}

/** What slow clients have sent before they stop. */
const BEGINNINGS: readonly string[] = [
  '',
  'GET /tasks HT',
  'GET /tasks HTTP/1.1\r\nHost: localhost\r\nX: ',
  'POST /tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  'POST /tasks HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
  'GET /hang HTTP/1.1\r\nHost: localhost\r\n\r\n',
]

const slow: Attack = {
  title: 'slow clients and slow answers delay no other request through a recorder',
  async run(figure) {
    const answer = ({ url }: IncomingMessage, response: ServerResponse) => {
      if (url === '/base/tasks/1') response.writeHead(200, JSON_TYPE).end('{}')
      else if (url === '/base/hang') response.writeHead(200, JSON_TYPE).write('{')
    }
    await withRecorder(answer, async ({ recorder, origin }) => {
      const sockets = Array.from({ length: SLOW * BEGINNINGS.length }, (_, index) => {
        const socket = connect(recorder.port, '127.0.0.1').on('error', () => {})
        socket.write(BEGINNINGS[index % BEGINNINGS.length] ?? '')
        return socket
      })
      try {
        await Promise.all(sockets.map((socket) => socket.connecting && once(socket, 'connect')))
        let longest = 0
        for (let count = 0; count < 20; count++) {
          const begin = performance.now()
          const response = await fetch(`${origin}/tasks/1`)
          expectThat(response.status === 200, `Expected 200, got ${response.status}`)
          await response.arrayBuffer()
          longest = Math.max(longest, performance.now() - begin)
        }
        figure(`${sockets.length} slow connections: another request takes ${longest.toFixed(0)} ms at most`)
        expectThat(longest <= LONGEST_WAIT, `Expected at most ${LONGEST_WAIT} ms`)
      } finally {
        for (const socket of sockets) socket.destroy()
      }
    })
  },
}

export const recorder: readonly Attack[] = [bytes, switching, large, slow]
