import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { eventually, property, row, type Scene, visit } from './stage.js'

const LONG = 'aVeryLongNameWithoutAnySpace'.repeat(30)
const URL_OF_NOTHING = `http://127.0.0.1:9/${LONG}`
/** A page of 1280 by 800 pixels at 200 %, and the smallest page that must stay usable. */
const LOW = [
  { width: 640, height: 400 },
  { width: 320, height: 256 },
]
/** Three lines of the list. */
const LOWEST_LIST = 180

/** Checks that everything has its place: long texts, low pages, pictures that load, messages. */
export function layoutChecks(scene: Scene): Check[] {
  return [
    ...[1280, 390].map((width) => ({
      title: `long texts and addresses wrap in a window of ${width} pixels`,
      run: scene(checkWrapping, { viewport: { width, height: 800 } }),
    })),
    ...LOW.map((viewport) => ({
      title: `the list keeps its height in a window of ${viewport.width} by ${viewport.height} pixels`,
      run: scene(checkHeight, { viewport }),
    })),
    ...[1280, 390].map((width) => ({
      title: `nothing is cut or longer than the page in a window of ${width} pixels`,
      run: scene(checkFit, { viewport: { width, height: 800 } }),
    })),
    {
      title: 'a picture has its height before it has loaded',
      run: scene(async (page, server) => {
        const id = await server.create('acme/image-1', { prompt: 'a mill' })
        await server.advance('10s')
        let load = () => {}
        const isAsked = new Promise<void>((resolve) => {
          load = resolve
        })
        await page.route('**/files/0', async (route) => {
          await isAsked
          await route.continue()
        })
        await visit(page, server, `tasks/${id}`)
        const top = async () => (await page.getByText('Open signed URL').boundingBox())?.y
        await page.locator('.file img').waitFor()
        const before = await top()
        load()
        await page
          .locator('.file img')
          .evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode())
        expectEqual('the place of what follows the picture', await top(), before)
      }),
    },
    {
      title: 'messages share one area, which covers nothing, and a repeated one is counted',
      run: scene(async (page, server) => {
        await visit(page, server, 'webhooks')
        await page.route('**/_sim/clock', (route) => route.abort())
        for (let times = 0; times < 4; times++) await page.keyboard.press('.')
        await page.locator('.notice').getByText('(4 times)').waitFor()
        expectEqual('the number of messages', await page.locator('.notice').count(), 1)
        const main = await page.locator('main').boundingBox()
        const notice = await page.locator('.notice').boundingBox()
        expectEqual(
          'whether the message is below the view',
          main !== null && notice !== null && notice.y >= main.y + main.height,
          true,
        )
      }),
    },
  ]
}

async function checkWrapping(page: Page, server: Server): Promise<void> {
  const id = await server.create(
    'acme/image-1',
    { prompt: `See https://example.com/${LONG}` },
    { webhook_url: URL_OF_NOTHING },
  )
  const error = { code: LONG.slice(0, 150), message: `See https://example.com/${LONG}` }
  await server.post(`/_sim/tasks/${id}/finish`, { status: 'failed', error })
  await server.post('/_sim/receivers', { url: URL_OF_NOTHING })
  await server.get(`/api/v1/tasks/${id}?note=${LONG}`)
  await server.advance('1d')
  for (const hash of ['tasks', `tasks/${id}`, 'webhooks', 'findings', 'requests']) {
    await visit(page, server, hash)
    await page.waitForTimeout(300)
    if (hash === 'webhooks') await page.locator('.row').first().click()
    expectEqual(`what scrolls sideways in ${hash}`, await page.evaluate(SIDEWAYS), [])
  }
}

/** Names the elements that can be scrolled sideways. */
const SIDEWAYS = `[document.documentElement, ...document.querySelectorAll('body, body *')]
  .filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)
  .filter((each) => each === document.documentElement || /auto|scroll/.test(getComputedStyle(each).overflowX))
  .map((each) => each.tagName + ' ' + each.className)`

async function checkFit(page: Page, server: Server): Promise<void> {
  await page.getByText('2026-01-01').first().waitFor()
  await page.getByRole('button', { name: 'UTC' }).waitFor()
  const excess = () => page.evaluate('document.documentElement.scrollHeight - innerHeight')
  const model = 'acme/image-1-with-a-long-name-of-a-preview-of-november'
  for (let index = 0; index < 6; index++) await server.create(model, { prompt: `pier ${index}` })
  await server.advance('1m')
  const filters = page.locator('.filters')
  await filters.getByRole('option', { name: model }).waitFor({ state: 'attached' })
  expectEqual(
    'the width of the filters',
    await property(filters, 'scrollWidth'),
    await property(filters, 'offsetWidth'),
  )
  await visit(page, server, 'tasks?pane=open')
  await page
    .getByText('Failing webhooks')
    .or(page.getByText('Spend', { exact: true }))
    .first()
    .waitFor()
  expectEqual('how much the overview lengthens the page', await excess(), 0)
  if ((page.viewportSize()?.width ?? 0) < 1280) return
  const bar = page.locator('.clock')
  const height = await property(bar, 'offsetHeight')
  await server.create('acme/video-1', { prompt: 'a pier' })
  await page.locator('.clock-event', { hasText: 'end of' }).waitFor()
  expectEqual('the height of the clock bar', await property(bar, 'offsetHeight'), height)
}

async function checkHeight(page: Page, server: Server): Promise<void> {
  for (let task = 0; task < 8; task++) await server.create('acme/image-1', { prompt: `task ${task}` })
  await row(page, 'task 7').waitFor()
  const height = async () =>
    (await page.getByRole('listbox', { name: 'Tasks, newest first', exact: true }).boundingBox())?.height ?? 0
  await eventually('a list of at least three lines', height, (now: number) => now >= LOWEST_LIST)
  await row(page, 'task 7').click()
  await page.getByRole('heading', { name: 'task 7' }).waitFor()
  await page.getByLabel('Input', { exact: true }).locator('.cm-content').click()
  await page.getByRole('link', { name: 'All tasks' }).click()
  await row(page, 'task 6').waitFor()
}
