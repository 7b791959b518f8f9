/** Creates, polls and downloads with HTTP clients, as an app does that knows nothing of tasksim. */
import http2 from 'node:http2'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'

const PREDICTIONS = 'https://api.replicate.com/v1/predictions'
const HEADERS = {
  authorization: `Bearer ${process.env.REPLICATE_API_TOKEN}`,
  'content-type': 'application/json',
}
const BODY = JSON.stringify({ version: 'acme/image-1', input: { prompt: 'a fox' } })

const ofFetch = (fetch) => async (method, url, body) => {
  const response = await fetch(url, { method, headers: HEADERS, body })
  return Buffer.from(await response.arrayBuffer())
}

const ofHttps = (options) => (method, url, body) =>
  new Promise((resolve, reject) => {
    https
      .request(url, { ...options, method, headers: HEADERS }, (response) =>
        buffer(response).then(resolve, reject),
      )
      .on('error', reject)
      .end(body)
  })

/** How each client sends a request, and returns the bytes of its answer. */
const CLIENTS = {
  fetch: () => ofFetch(fetch),
  https: () => ofHttps({}),
  'https with an agent of its own': () =>
    ofHttps({ agent: new https.Agent({ keepAlive: true, maxSockets: 1 }) }),
  async undici() {
    const { request } = await import('undici')
    return async (method, url, body) => {
      const response = await request(url, { method, headers: HEADERS, body })
      return Buffer.from(await response.body.arrayBuffer())
    }
  },
  async 'undici with a pool of its own'() {
    const { Pool } = await import('undici')
    const pool = new Pool('https://api.replicate.com')
    return async (method, url, body) => {
      const { pathname, search } = new URL(url)
      const response = await pool.request({ path: pathname + search, method, headers: HEADERS, body })
      return Buffer.from(await response.body.arrayBuffer())
    }
  },
  async axios() {
    const { default: axios } = await import('axios')
    return async (method, url, data) =>
      (await axios.request({ method, url, headers: HEADERS, data, responseType: 'arraybuffer' })).data
  },
  async got() {
    const { default: got } = await import('got')
    return async (method, url, body) =>
      Buffer.from(await got(url, { method, headers: HEADERS, body }).buffer())
  },
  'node-fetch': async () => ofFetch((await import('node-fetch')).default),
  http2: () => (_, url) =>
    new Promise((resolve, reject) => {
      const session = http2.connect(new URL(url).origin).on('error', reject)
      buffer(session.request({ ':path': '/v1/predictions' })).then(resolve, reject)
    }),
}

for (const name of process.argv.slice(2))
  process.stdout.write(`${JSON.stringify([name, await outcome(name)])}
`)
process.exit()

async function outcome(name) {
  try {
    const send = await CLIENTS[name]()
    let made = JSON.parse(await send('POST', PREDICTIONS, BODY))
    while (made.status !== 'succeeded') made = JSON.parse(await send('GET', made.urls.get))
    const file = await send('GET', [made.output].flat()[0])
    return file.subarray(1, 4).toString() === 'PNG' ? 'ok' : `a file of ${file.length} bytes`
  } catch (error) {
    return [error.message, error.cause?.message].filter(Boolean).join(': ')
  }
}
