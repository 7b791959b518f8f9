import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { createServer } from 'vite'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `Chromium not found at ${executablePath}; set CHROMIUM_PATH`

let server
let browser

before(async () => {
  if (skip) return
  const root = fileURLToPath(new URL('.', import.meta.url))
  server = await createServer({ root, logLevel: 'warn', server: { port: 0, host: '127.0.0.1', hmr: false } })
  await server.listen()
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})

after(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens a page whose service worker answers requests and whose clock the test controls. */
async function open(scenario) {
  const page = await browser.newPage()
  await page.clock.install()
  const { port } = server.httpServer.address()
  await page.goto(`http://127.0.0.1:${port}/?scenario=${scenario}`)
  await page.getByText('ready').waitFor()
  assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null))
  return page
}

/** Advances the clock, one poll at a time, until an element is visible. */
async function advanceUntil(page, locator) {
  for (let polls = 0; polls < 50 && !(await locator.isVisible()); polls++) {
    const response = page.waitForResponse(/\/tasks\//, { timeout: 500 }).catch(() => undefined)
    await page.clock.runFor(2_000)
    await response
  }
  await locator.waitFor()
}

const findings = (page) => page.evaluate(async () => (await globalThis.sim.findings()).map(({ id }) => id))

test('the page polls through the service worker, and shows the image', { skip }, async () => {
  const page = await open('default')
  await page.getByRole('button').click()
  await page.getByText('processing').waitFor()
  const image = page.getByAltText('the result')
  await advanceUntil(page, image)
  assert.ok(await image.evaluate((element) => element.decode().then(() => element.naturalWidth > 0)))
  assert.deepEqual(await findings(page), [])
  await page.close()
})

test('the page keeps polling after a failed poll', { skip }, async () => {
  const page = await open('default')
  await page.evaluate(() =>
    globalThis.sim.control.scenario.patch({
      faults: [{ when: { operation: 'tasks.retrieve' }, then: [503, { status: 429, retry_after: '4s' }] }],
    }),
  )
  await page.getByRole('button').click()
  await page.getByText('processing').waitFor()
  await advanceUntil(page, page.getByAltText('the result'))
  assert.deepEqual(await findings(page), [])
  await page.close()
})

test('a failed task is shown with its reason', { skip }, async () => {
  const page = await open('default')
  await page.evaluate(() =>
    globalThis.sim.control.scenario.patch({ kinds: { image: { failures: { rate: 1 } } } }),
  )
  await page.getByRole('button').click()
  await page.getByText('processing').waitFor()
  await advanceUntil(page, page.locator('output', { hasNotText: /^(?:queued|processing)$/ }))
  assert.doesNotMatch(await page.locator('output').innerText(), /succeeded/)
  await page.close()
})
