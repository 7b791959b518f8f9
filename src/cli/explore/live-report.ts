import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toHtml } from '../../explore/formats/html.js'
import type { ExplorationReport, RunCell } from '../../explore/report.js'

/**
 * Serves the report of an exploration as a page that grows with each run. It is a server of its own: each run has a
 * simulator of its own, which ends with the run.
 */
export class LiveReport {
  readonly #server: Server
  readonly #readers = new Set<ServerResponse>()
  #page = START

  private constructor() {
    this.#server = createServer((request, response) => {
      const { method, url, headers } = request
      response.setHeader('cache-control', 'no-store')
      if (!LOCAL.test(headers.host ?? ''))
        response.writeHead(403).end('This page is only for this machine.\n')
      else if (method !== 'GET') response.writeHead(405, { allow: 'GET' }).end()
      else if (url === '/') response.writeHead(200, HTML).end(this.#page)
      else if (url === `/${SCRIPT}`) response.writeHead(200, { 'content-type': 'text/javascript' }).end(CODE)
      else if (url === '/events') this.#follow(response)
      else response.writeHead(404).end()
    })
  }

  /** Opens the server on a free port of the loopback interface. */
  static async open(): Promise<LiveReport> {
    const live = new LiveReport()
    await new Promise<void>((resolve, reject) => {
      live.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    return live
  }

  /** The address of the page. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** Shows a report. @param known all runs in their order, also those that have not ended */
  show(report: ExplorationReport, known: readonly RunCell[]): void {
    this.#page = toHtml(report, { known, script: SCRIPT })
    for (const reader of this.#readers) send(reader, 'report', this.#page)
  }

  /** Says to the open pages that nothing follows, and closes the server. */
  close(): void {
    for (const reader of this.#readers) {
      send(reader, 'end', '')
      reader.end()
    }
    this.#server.close()
  }

  #follow(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    this.#readers.add(response)
    response.on('close', () => this.#readers.delete(response))
    send(response, 'report', this.#page)
  }
}

/** Another name in this header shows that a foreign page tries to read the report. */
const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; base-uri 'none'",
}

function send(reader: ServerResponse, event: string, data: string): void {
  reader.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

const SCRIPT = 'live.js'

/** The page before the first report. */
const START = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>tasksim explore</title><script type="module" src="${SCRIPT}"></script></head>
<body><header><h1>tasksim explore</h1></header><main><p>The command runs without failures first.</p></main></body>
</html>
`

/** Shows each new report, and keeps what is open, what has the focus, and the place of the first run in sight. */
const CODE = `const source = new EventSource('events')
source.addEventListener('end', () => source.close())
source.addEventListener('report', ({ data }) => {
  const page = new DOMParser().parseFromString(JSON.parse(data), 'text/html')
  for (const { id } of document.querySelectorAll('details[open] > [id]'))
    page.getElementById(id)?.parentElement.setAttribute('open', '')
  const focused = nameOf(document.activeElement)
  const seen = [...document.querySelectorAll('summary')].find((each) => topOf(each) >= 0 && topOf(each) < innerHeight)
  const name = nameOf(seen)
  const top = topOf(seen)
  for (const part of ['style', 'header', 'main']) {
    const [old, fresh] = [document.querySelector(part), page.querySelector(part)]
    if (old) old.replaceWith(fresh)
    else if (fresh) document.head.append(fresh)
  }
  const moved = [...document.querySelectorAll('summary')].find((each) => name && nameOf(each) === name)
  if (moved) scrollBy(0, topOf(moved) - top)
  if (focused === undefined) return
  const again = [...document.querySelectorAll('a, summary')].find((each) => nameOf(each) === focused)
  again?.focus({ preventScroll: true })
})

function topOf(element) {
  return element?.getBoundingClientRect().top
}

function nameOf(element) {
  return element?.getAttribute('href') ?? element?.nextElementSibling?.id
}
`
