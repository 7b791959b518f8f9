import type { Browser } from 'playwright-core'
import { listen } from '../../../src/hosts/express/index.js'
import { createSimulator } from '../../../src/index.js'
import { type Check, expectEqual } from '../../support/check.js'

const TOKEN = 'open-sesame&more='

/** Checks the dashboard of a control API that requires a token. */
export function tokenChecks(browser: Browser): Check[] {
  return [
    {
      title:
        'a token in the address is kept for the tab, leaves the address, and lets everything in; without it none is shown',
      longest: 40_000,
      async run() {
        const sim = createSimulator({ clock: 'manual' })
        const { baseUrl, close } = await listen(sim, { port: 0, controlToken: TOKEN })
        const context = await browser.newContext()
        try {
          const { origin } = new URL(baseUrl)
          const id = await create(baseUrl)
          await sim.clock.advance('10s')
          const page = await context.newPage()
          await page.goto(`${origin}/_sim/`)
          await page.getByText('This simulator requires a token').waitFor()
          await page.keyboard.type('a wrong one')
          await page.keyboard.press('Enter')
          await page.getByRole('status').getByText('does not accept this token').waitFor()
          await page.goto(`${origin}/_sim/?token=${encodeURIComponent(TOKEN)}#/tasks/${id}`)
          await page.getByText('Live', { exact: true }).waitFor()
          // This promise resolves when the picture is loaded. Waiting for an expression would need eval, which the
          // page forbids.
          await page
            .locator('.file img')
            .evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode())
          expectEqual('the address', page.url(), `${origin}/_sim/#/tasks/${id}`)
          await page.reload()
          await page.getByText('Live', { exact: true }).waitFor()
        } finally {
          await context.close()
          await close()
          sim.close()
        }
      },
    },
  ]
}

async function create(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/tasks`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/image-1', input: { prompt: 'a door' } }),
  })
  return ((await response.json()) as { id: string }).id
}
