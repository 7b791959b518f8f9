import type { KeyLocation } from '../../../src/dialects/dialect.js'
import { createSimulator } from '../../../src/index.js'
import { eventually, expectThat } from '../../support/check.js'
import { idIn, SERVICES, withFile } from '../../support/services.js'

/** The names of the dialects whose services {@link openService} calls. */
export const NAMES: readonly string[] = Object.keys(SERVICES)

const keyIn = createSimulator().dialects

/** A client of a service, with an API key. */
export interface ServiceClient {
  /** Creates a task with a webhook, if the service has webhooks of requests. Repeats a request that gets 503. */
  create(receiver: string): Promise<{ readonly id: string; readonly hasWebhook: boolean }>
  /** Polls a task once. */
  poll(id: string): Promise<Response>
  /** Polls a task until it shows files, and downloads them. */
  download(id: string): Promise<number>
}

/**
 * Opens a client of a service.
 * @param origin where the client finds all services
 */
export async function openService(name: string, origin: string, key: string): Promise<ServiceClient> {
  const service = SERVICES[name]
  if (service === undefined) throw new Error(`There is no service ${name}`)
  const { create, body, hook, task, result = task, files = true, host = '' } = service
  const base = `${origin}/${name}${host}`
  const headers = { ...headersOf((await keyIn.load(name)).key, key), ...service.headers }
  const get = (url: string) =>
    fetch(url, { headers: url.startsWith(origin) && !isSigned(url) ? headers : {} })
  return {
    async create(receiver) {
      const order = { ...body, ...(hook !== undefined && { [hook]: receiver }) }
      let text = ''
      await eventually(`${name} creates a task`, async () => {
        const response = await fetch(base + create, { method: 'POST', headers, body: JSON.stringify(order) })
        text = await response.text()
        expectThat(response.ok || response.status === 503, `Expected a task, got ${response.status} ${text}`)
        return response.ok
      })
      return { id: idIn(service, JSON.parse(text)), hasWebhook: hook !== undefined }
    },
    poll: (id) => get(base + task(id)),
    async download(id) {
      let urls: readonly string[] = []
      await eventually(`the task ${id} of ${name} ends`, async () => {
        const response = await get(base + result(id))
        urls = urlsIn(withFile({ ...service, origin: base }, id, await response.text()))
        return response.ok && (!files || urls.length > 0)
      })
      for (const url of urls) {
        const response = await get(url)
        const { byteLength } = await response.arrayBuffer()
        expectThat(response.ok && byteLength > 0, `Expected a file at ${url}, got ${response.status}`)
      }
      return urls.length
    },
  }
}

function headersOf({ header, scheme }: KeyLocation, key: string): Record<string, string> {
  const value = scheme === undefined ? key : `${scheme} ${key}`
  return { [header]: value, 'content-type': 'application/json' }
}

/** The URLs of files and of streams in an answer. */
function urlsIn(text: string): string[] {
  return text.match(/http:[^"\\]*(?:\/files\/|\/streams\/|\/content\?|\/audio\/)[^"\\]*/g) ?? []
}

/** Whether a URL needs no key. */
function isSigned(url: string): boolean {
  return new URL(url).searchParams.has('partition')
}
