import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { createSimulator } from 'tasksim'
import { listen } from 'tasksim/express'
import { createApp } from './app.js'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `Chromium not found at ${executablePath}; set CHROMIUM_PATH`

const sim = createSimulator({ clock: 'manual' })
let api
let app
let browser

before(async () => {
  if (skip) return
  api = await listen(sim, { port: 0 })
  app = createApp(api.baseUrl).listen(0, '127.0.0.1')
  await once(app, 'listening')
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})

after(async () => {
  await browser?.close()
  app?.close()
  await api?.close()
  sim.close()
})

test('the page waits for the task and then shows the image', { skip }, async () => {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${app.address().port}/`)
  await page.getByRole('button').click()
  await page.getByText('processing').waitFor()
  await sim.clock.advance('1m')
  const image = page.getByAltText('the result')
  await image.waitFor()
  assert.ok(await image.evaluate((element) => element.decode().then(() => element.naturalWidth > 0)))
})
