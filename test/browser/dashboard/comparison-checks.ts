import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { row, type Scene, visit } from './stage.js'

/** Checks the comparison of two tasks, and the findings on the page of a task. */
export function comparisonChecks(scene: Scene): Check[] {
  return [
    { title: 'two tasks are compared with the keyboard alone, swapped, and left', run: scene(compare) },
    {
      title: 'the comparison of two tasks fits on a phone',
      run: scene(
        async (page, server) => {
          const [a, b] = await createTwo(server)
          await visit(page, server, `tasks/${a}?compare=${b}`)
          await page.getByLabel('Input: differences').waitFor()
          const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          expectEqual('how much it is too wide', Math.max(0, Number(excess)), 0)
        },
        { viewport: { width: 390, height: 844 } },
      ),
    },
    {
      title: 'the findings about a task are on its page, and mark it in the list',
      run: scene(async (page, server) => {
        const id = await server.create('acme/image-1', { prompt: 'polled too fast' })
        await server.create('acme/image-1', { prompt: 'innocent' })
        for (let poll = 0; poll < 6; poll++) {
          await server.advance('100ms')
          await server.get(`/api/v1/tasks/${id}`)
        }
        await visit(page, server, `tasks/${id}`)
        const card = page.getByRole('region', { name: 'Findings' })
        await card.getByText('A task is polled faster than recommended').waitFor()
        await card.getByText('Remedy').waitFor()
        await row(page, 'polled too fast').locator('.row-finding').waitFor()
        expectEqual('marks', await page.locator('.row-finding').count(), 1)
        await card.getByRole('link', { name: 'polls-too-fast' }).click()
        await page.locator('.finding').getByText('polls-too-fast').waitFor()
      }),
    },
  ]
}

async function createTwo(server: Server): Promise<[string, string]> {
  const a = await server.create('acme/image-1', { prompt: 'a mill', size: '512x512' })
  await server.advance('10s')
  const b = await server.create('acme/image-1', { prompt: 'a castle', size: '512x512' })
  await server.post(`/_sim/tasks/${b}/finish`, { status: 'failed', error: { code: 'timeout' } })
  return [a, b]
}

async function compare(page: Page, server: Server): Promise<void> {
  const [a] = await createTwo(server)
  await visit(page, server, `tasks/${a}`)
  await page.getByRole('button', { name: 'Compare with…' }).focus()
  const { keyboard } = page
  await keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /castle/ }).waitFor()
  await keyboard.press('a')
  await keyboard.press('Enter')
  const differs = page.locator('.differs')
  await differs.filter({ hasText: 'timeout' }).waitFor()
  expectEqual('timelines', await page.locator('.chart').count(), 2)
  const diff = page.getByLabel('Input: differences')
  await diff.locator('.diff-removed', { hasText: 'Only A' }).getByText('"prompt": "a mill"').waitFor()
  await diff.locator('.diff-added', { hasText: 'Only B' }).getByText('"prompt": "a castle"').waitFor()
  await page.getByRole('link', { name: 'Swap' }).focus()
  await keyboard.press('Enter')
  await diff.locator('.diff-removed', { hasText: 'a castle' }).waitFor()
  await page.reload()
  await diff.locator('.diff-removed', { hasText: 'a castle' }).waitFor()
  await keyboard.press('Escape')
  await page.getByRole('heading', { name: 'a castle' }).waitFor()
  await page.getByRole('heading', { name: 'Comparison' }).waitFor({ state: 'detached' })
}
