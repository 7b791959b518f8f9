import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import { withReceiver } from './receiver.js'
import type { Server } from './server.js'
import { eventually, type Scene, visit } from './stage.js'

/** Checks the timeline of a task: its lanes, its tooltips, and its keys. */
export function timelineChecks(scene: Scene): Check[] {
  return [
    { title: 'the timeline is read and opened with the keyboard alone', run: scene(walk) },
    {
      title: 'the timeline has a lane for each receiver, and leads to the webhook',
      run: scene(showReceivers),
    },
    {
      title: 'a lost answer is not a success on the page of its task',
      run: scene(async (page, server) => {
        const scenario = {
          faults: [{ name: 'gone', when: { operation: 'tasks.retrieve' }, then: 'lost' }],
        }
        await server.put('/_sim/scenario', { scenario })
        const id = await server.create('acme/image-1', { prompt: 'a mill' })
        await server.get(`/api/v1/tasks/${id}`).catch(() => {})
        await visit(page, server, `tasks/${id}`)
        await page.getByRole('link', { name: /^poll: lost, fault “gone”/ }).waitFor()
        expectEqual('crosses', await page.locator('.mark-poll.mark-bad').count(), 1)
        expectEqual('the class of its row', await page.locator('.exchange .status-0').count(), 1)
        expectEqual('green rows', await page.locator('.exchange .status-2').count(), 1)
      }),
    },
  ]
}

const focused = (page: Page) => page.evaluate('document.activeElement.getAttribute("aria-label")')

async function walk(page: Page, server: Server): Promise<void> {
  const id = await server.create('acme/video-1', { prompt: 'a mill', duration: 5 })
  for (let poll = 0; poll < 2; poll++) {
    await server.advance('1s')
    await server.get(`/api/v1/tasks/${id}`)
  }
  await server.post(`/_sim/tasks/${id}/hold`)
  await server.advance('10s')
  await visit(page, server, `tasks/${id}`)
  await page.getByRole('img', { name: /^held, / }).waitFor()
  await server.post(`/_sim/tasks/${id}/finish`, { status: 'canceled' })
  await page.getByRole('img', { name: /^canceled, / }).waitFor()
  await page.getByRole('img', { name: /^processing, / }).focus()
  const { keyboard } = page
  for (let mark = 0; mark < 4; mark++) await keyboard.press('ArrowRight')
  expectEqual('the end', await focused(page), 'canceled, 00:00:12.000, 12 s after the creation')
  await page.locator('.tooltip', { hasText: '12 s after the creation' }).waitFor()
  await keyboard.press('ArrowDown')
  expectEqual(
    'the first request',
    await focused(page),
    'creation: 200, 00:00:00.000, 0 ms after the creation',
  )
  await page.locator('.tooltip', { hasText: 'creation: 200' }).waitFor()
  await keyboard.press('Escape')
  await page.locator('.tooltip').waitFor({ state: 'detached' })
  await keyboard.press('ArrowRight')
  expectEqual('the stops for Tab', await page.locator('.item[tabindex="0"]').count(), 1)
  await keyboard.press('Enter')
  await page.locator('.request-title', { hasText: `GET /api/v1/tasks/${id}` }).waitFor()
  expectEqual('the requests in the list', await page.locator('.row').count(), 3)
}

async function showReceivers(page: Page, server: Server): Promise<void> {
  await withReceiver(
    async (url) => {
      for (const name of ['good', 'bad'])
        await server.post('/_sim/receivers', { url: new URL(name, url).href, retries: ['5s'] })
      const id = await server.create('acme/image-1', { prompt: 'a mill' })
      await server.advance('1m')
      await visit(page, server, `tasks/${id}`)
      await page.locator('.lane-name').getByText('/good', { exact: true }).waitFor()
      await page.locator('.lane-name').getByText('/bad', { exact: true }).waitFor()
      expectEqual('lines between attempts', await page.locator('.chain').count(), 1)
      await page.getByRole('link', { name: /^task\.succeeded, attempt 2: 503/ }).hover()
      await page.locator('.tooltip', { hasText: 'attempt 2: 503' }).waitFor()
      await page.getByRole('link', { name: /^task\.succeeded, attempt 2: 503/ }).click()
      await eventually(
        'the delivery in the address',
        () => page.evaluate('location.hash'),
        (hash: string) => hash.startsWith('#/webhooks/dlv_'),
      )
    },
    (_, path) => (path === '/good' ? 204 : 503),
  )
}
