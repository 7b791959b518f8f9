import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLI } from '../../bench/distribution.js'
import { TasksimServer } from '../../bench/tasksim-server.js'
import { exchangeBytes } from '../../support/exchange-bytes.js'
import { NOT_NAMES, OF_CONNECTION, SETTABLE, VALUES } from '../../support/hostile-headers.js'
import { type Attack, expectThat } from '../attack.js'
import { ACME, CREATE } from './acme.js'

/** In milliseconds. */
const PATIENCE = 10_000
const BAD_NAMES = [...OF_CONNECTION, ...NOT_NAMES]

/** A dialect that repeats what a client sends in every header that it can. */
const ECHO = {
  ...ACME,
  headers: { 'X-Echo': '{{input.prompt}}' },
  error: { headers: { 'X-Message': '{{message}}' }, body: { message: '{{message}}' } },
  webhook: {
    url: '{{body.hook}}',
    events: { succeeded: 'done' },
    body: { job: '{{id}}' },
    headers: { 'X-Hook': '{{input.prompt}}', '{{kept.name}}': '{{kept.value}}' },
  },
  operations: {
    'POST /jobs': { ...CREATE, keep: { name: '{{body.name}}', value: '{{body.value}}' } },
    'GET /jobs/{task_id}': 'retrieve',
  },
}

/** Headers whose names and values a client chooses, as bytes on the wire. */
const ofClients: Attack = {
  title: 'no header that a client chooses frames a message, or ends its line',
  async run(figure) {
    const folder = mkdtempSync(join(tmpdir(), 'tasksim-headers-'))
    const file = join(folder, 'acme.json')
    writeFileSync(file, JSON.stringify(ECHO))
    const receiver = await startRawReceiver()
    const server = await TasksimServer.start('instant', '--dialect', file)
    const origin = `http://127.0.0.1:${server.port}`
    const create = async (body: object) => {
      const answer = await exchangeBytes(origin, postOf('/acme/jobs', { hook: receiver.url, ...body }))
      return { answer, headers: headersOf(answer, 'answer') }
    }
    let [rejected, sent] = [0, 0]
    try {
      for (const name of BAD_NAMES) {
        const { answer } = await create({ prompt: 'x', name, value: 'v' })
        expectThat(answer.startsWith('HTTP/1.1 400 '), `${JSON.stringify(name)}: got ${answer.slice(0, 300)}`)
        rejected += 1
      }
      for (const [value, expected] of VALUES) {
        const { answer } = await create({ prompt: 'x', name: 'X-Chosen', value })
        const status = value === expected ? 200 : 400
        expectThat(
          answer.startsWith(`HTTP/1.1 ${status} `),
          `${JSON.stringify(value)}: got ${answer.slice(0, 300)}`,
        )
        if (status === 400) rejected += 1
        else expectThat((await receiver.next()).get('x-chosen') === value, `${value} did not arrive`)
      }
      for (const name of SETTABLE.filter((each) => !/^content-/i.test(each))) {
        await create({ prompt: 'x', name, value: 'chosen' })
        const value = (await receiver.next()).get(name.toLowerCase())
        expectThat(value === 'chosen', `${name}: expected "chosen", got ${JSON.stringify(value)}`)
        sent += 1
      }
      for (const [prompt, expected] of VALUES) {
        const { headers } = await create({ prompt })
        const webhook = await receiver.next()
        const got = [headers.get('x-echo'), webhook.get('x-hook')]
        const isRight = got.every((value) => value === expected.trim())
        expectThat(isRight, `${JSON.stringify(prompt)}: got ${JSON.stringify(got).slice(0, 300)}`)
        sent += 2
        const path = `/acme/jobs/${encodeURIComponent(prompt.slice(0, 1_000).replace(/\p{Surrogate}/gu, ''))}`
        headersOf(await exchangeBytes(origin, getOf(path)), 'rejection')
      }
      figure(`${rejected} names and values rejected, ${sent} headers sent on one line each`)
    } finally {
      receiver.close()
      await server.end()
      rmSync(folder, { recursive: true })
    }
  },
}

/** Each place of a file that has headers, with the file. */
const PLACES: Readonly<Record<string, (headers: object) => { dialect?: object; scenario?: object }>> = {
  headers: (headers) => ({ dialect: { ...ACME, headers } }),
  'error.headers': (headers) => ({ dialect: { ...ACME, error: { ...ACME.error, headers } } }),
  'webhook.headers': (headers) => ({ dialect: { ...ECHO, webhook: { ...ECHO.webhook, headers } } }),
  'faults[0].then.headers': (headers) => ({ scenario: { faults: [{ then: { headers } }] } }),
}

/** Headers whose names a file chooses. */
const ofFiles: Attack = {
  title: 'no file can set a header that frames a message',
  async run(figure) {
    const folder = mkdtempSync(join(tmpdir(), 'tasksim-headers-'))
    let rejected = 0
    try {
      for (const [place, fileOf] of Object.entries(PLACES))
        for (const names of [BAD_NAMES.filter((name) => name !== '__proto__'), ['__proto__']]) {
          const { dialect = ACME, scenario = {} } = fileOf(
            Object.fromEntries(names.map((name) => [name, 'x'])),
          )
          writeFileSync(join(folder, 'acme.json'), JSON.stringify(dialect))
          writeFileSync(join(folder, 'scenario.json'), JSON.stringify(scenario))
          const errors = await errorsOf(join(folder, 'scenario.json'), '--dialect', join(folder, 'acme.json'))
          for (const name of names) {
            const shown = /^[A-Za-z_]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
            expectThat(errors.includes(place + shown), `${place}${shown}: not in ${errors.slice(0, 500)}`)
            rejected += 1
          }
        }
      figure(`${rejected} headers rejected when the file is loaded`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

export const headers: readonly Attack[] = [ofClients, ofFiles]

function postOf(path: string, content: object): Buffer {
  const body = Buffer.from(JSON.stringify(content))
  const head = [
    ...[`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', 'Authorization: Bearer sk_headers'],
    ...['Content-Type: application/json', `Content-Length: ${body.length}`],
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}

function getOf(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer sk_headers\r\n\r\n`
}

const LINE = /^([!#$%&'*+.^`|~\w-]+): ?([\t\x20-\x7e]*)$/

/**
 * Reads the headers of a message from its bytes.
 * @throws Error if one of them is not a line of its own, or stands twice
 */
function headersOf(bytes: string, what: string): Map<string, string> {
  const [head = ''] = bytes.split('\r\n\r\n', 1)
  const headers = new Map<string, string>()
  for (const line of head.split('\r\n').slice(1)) {
    const [, name = '', value = ''] = LINE.exec(line) ?? []
    expectThat(name !== '', `a line of the ${what} is not a header: ${JSON.stringify(line.slice(0, 200))}`)
    expectThat(!headers.has(name.toLowerCase()), `the ${what} has the header ${name} twice`)
    expectThat(name !== 'X-B', `the ${what} has a header that a value contains`)
    headers.set(name.toLowerCase(), value)
  }
  return headers
}

/** Starts a receiver that sees the bytes of each webhook. */
async function startRawReceiver() {
  const received: string[] = []
  let arrived = () => {}
  const server = createServer((socket) => {
    let bytes = ''
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      bytes += piece.toString('latin1')
      if (!/\r\n\r\n.*\}$/s.test(bytes)) return
      received.push(bytes)
      socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
      arrived()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
    /** The headers of the next webhook. */
    async next(): Promise<Map<string, string>> {
      const timer = setTimeout(() => arrived(), PATIENCE)
      while (received.length === 0) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
        expectThat(received.length > 0, `Expected a webhook within ${PATIENCE} ms`)
      }
      clearTimeout(timer)
      return headersOf(received.shift() ?? '', 'webhook')
    },
  }
}

/** What the server prints because it cannot start. */
function errorsOf(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const all = [fileURLToPath(CLI), ...args, '--port', '0']
    execFile(process.execPath, all, { timeout: PATIENCE }, (_, __, stderr) => resolve(stderr))
  })
}
