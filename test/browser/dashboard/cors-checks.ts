import type { Browser } from 'playwright-core'
import { listen } from '../../../src/hosts/express/index.js'
import { createSimulator } from '../../../src/index.js'
import { type Check, expectEqual } from '../../support/check.js'
import { serveHere } from '../../support/receiver.js'

/** Creates a task from the page, and returns the data that the page can read. */
const CREATE = `async (base) => {
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json', 'x-client': 'browser' }
  const body = JSON.stringify({ model: 'acme/image-1', input: {} })
  try {
    const response = await fetch(base + '/tasks', { method: 'POST', headers, body })
    const { id } = await response.json()
    return [response.status, typeof id, response.headers.has('x-request-id')]
  } catch (error) {
    return [error.name]
  }
}`

/** Checks what a browser allows a page of another origin to do with the service API. */
export function corsChecks(browser: Browser): Check[] {
  return [
    {
      title: 'a page of another origin can use the service API only where --cors allows it',
      async run() {
        const { origin, close: closeApp } = await serveHere((_, response) =>
          response.setHeader('content-type', 'text/html').end('<p>app'),
        )
        const page = await browser.newPage()
        await page.goto(origin)
        try {
          for (const [cors, learned, created] of [
            [[], ['TypeError'], 0],
            [['http://127.0.0.1:1'], ['TypeError'], 0],
            [[origin], [200, 'string', true], 1],
            [['*'], [200, 'string', true], 1],
          ] as const) {
            const sim = createSimulator({ clock: 'manual' })
            const { baseUrl, close } = await listen(sim, { port: 0, cors })
            const seen = await page.evaluate(`(${CREATE})(${JSON.stringify(baseUrl)})`)
            expectEqual(
              `what a page learns with ${JSON.stringify(cors)}`,
              [seen, sim.counters.created],
              [learned, created],
            )
            sim.close()
            await close()
          }
        } finally {
          await page.close()
          closeApp()
        }
      },
    },
  ]
}
