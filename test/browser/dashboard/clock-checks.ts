import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { eventually, type Scene, visit } from './stage.js'

const NOWHERE = 'http://127.0.0.1:9/hook'

/** Checks the speeds of the clock and its jumps. */
export function clockChecks(scene: Scene): Check[] {
  return [
    {
      title: 'the clock runs at a chosen speed, and resumes at the last one, by keyboard',
      run: scene(async (page, server) => {
        const speed = () => speedOf(server)
        await page.getByRole('button', { name: 'Paused' }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('menuitemradio', { name: '×1 real time' }).waitFor()
        for (const _ of [1, 2]) await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await eventually('a minute per second', speed, (now: number) => now === 60)
        await page.keyboard.press('p')
        await eventually('a paused clock', speed, (now: number) => now === 0)
        await page.getByRole('button', { name: 'Paused' }).waitFor()
        await page.keyboard.press('p')
        await eventually('the last speed', speed, (now: number) => now === 60)
      }),
    },
    {
      title: 'a sandbox does not resume at the speed of another clock',
      run: scene(async (page, server) => {
        const { id } = await server.post<{ id: string }>('/_sim/sandboxes', { name: 'slow', clock: 'manual' })
        await server.post('/_sim/clock', { mode: 'real', speed: 600 })
        await page.getByText('Running ×600').waitFor()
        await server.post('/_sim/clock', { mode: 'manual' })
        await page.getByText('Paused').waitFor()
        await visit(page, server, `tasks?sandbox=${id}`)
        await page.locator('.sandbox-key').waitFor()
        await page.getByText('Live', { exact: true }).waitFor()
        await page.keyboard.press('p')
        await page.getByText('Running', { exact: true }).waitFor()
        await visit(page, server, 'tasks')
        await page.getByText('Paused').waitFor()
        await page.keyboard.press('p')
        await page.getByText('Running ×600').waitFor()
        await fetch(`${server.url}/_sim/sandboxes/${id}`, { method: 'DELETE' })
      }),
    },
    {
      title:
        'the clock says what comes next, and jumps to the next webhook, the next expiry of URLs and a time',
      run: scene(async (page, server) => {
        const id = await server.create('acme/image-1', { prompt: 'a bell' }, { webhook_url: NOWHERE })
        const next = page.locator('.clock-next')
        await next.getByText(`webhook of ${id.slice(0, 13)}`).waitFor()
        await openJump(page)
        const line = page.getByRole('button', { name: /^Next webhook/ })
        await line.getByText('in 2 s').waitFor()
        await line.click()
        await eventually(
          'the first attempt',
          () => attempts(server),
          (count: number) => count === 1,
        )
        await openJump(page)
        await line.click()
        await eventually(
          'the retry',
          () => attempts(server),
          (count: number) => count === 2,
        )
        await openJump(page)
        await page.getByRole('button', { name: /^Next URL expiry/ }).click()
        await page.getByText('2026-01-02 UTC').waitFor()
        await next.getByText('no events scheduled').waitFor()
        await openJump(page)
        await page.getByRole('button', { name: /^Next URL expiry no URLs that will expire/ }).waitFor()
        await page.getByLabel('Offset, time or date').fill('+2d')
        await page.getByText('2 d forward, to 2026-01-04').waitFor()
        await page.keyboard.press('Enter')
        await page.getByText('2026-01-04 UTC').waitFor()
      }),
    },
    {
      title: 'Escape closes the jumps and keeps the open item; a time in the past is explained',
      run: scene(
        async (page, server) => {
          const id = await server.create('acme/image-1', { prompt: 'a bell' })
          await page.goto(`${server.url}/_sim/#/tasks/${id}`)
          await page.getByRole('heading', { name: 'a bell' }).waitFor()
          await openJump(page)
          await page.getByLabel('Offset, time or date').fill('2025-12-31')
          await page.getByText('Time only moves forward').waitFor()
          await page.keyboard.press('Enter')
          await page.keyboard.press('Escape')
          await page.getByRole('dialog').waitFor({ state: 'hidden' })
          const focused = 'document.activeElement.textContent'
          expectEqual('the focus', await page.evaluate(focused), 'Jump')
          await page.getByRole('heading', { name: 'a bell' }).waitFor()
          const width = await page.evaluate('document.documentElement.scrollWidth')
          expectEqual('whether the page is as wide as the screen', width, 390)
        },
        { viewport: { width: 390, height: 844 } },
      ),
    },
  ]
}

async function openJump(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Jump', exact: true }).click()
  await page.getByRole('dialog', { name: 'Jump to an event or a time' }).waitFor()
}

async function speedOf(server: Server): Promise<number> {
  return (await server.get<{ speed: number }>('/_sim/clock')).speed
}

async function attempts(server: Server): Promise<number | undefined> {
  const { data } = await server.get<{ data: { attempts: unknown[] }[] }>('/_sim/deliveries')
  return data[0]?.attempts.length
}
