import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import { withReceiver } from './receiver.js'
import { row, type Scene, visit } from './stage.js'

const LIMITS = {
  extends: 'default',
  capacity: { running: 2, queued: 1 },
  kinds: { image: { delay: '4s' } },
}

/** Checks the overview, which the pane of the tasks shows while no task is open. */
export function overviewChecks(scene: Scene): Check[] {
  return [
    {
      title: 'the overview: the waterfall shows states and limits, and keys open a task',
      run: scene(async (page, server) => {
        await server.put('/_sim/scenario', { scenario: LIMITS })
        for (const prompt of ['first', 'second', 'third']) await server.create('acme/image-1', { prompt })
        await server.create('acme/image-1', { prompt: 'one too many' }).catch(() => {})
        await server.advance('1s')
        await span(page, 'third').locator('.piece-queued').waitFor()
        await span(page, 'first').locator('.state-processing').waitFor()
        await page.getByText('2 of 2 running, 1 waiting, 3 shown').waitFor()
        await page.getByRole('link', { name: '1 request was refused: 429, no capacity' }).first().waitFor()
        await server.advance('5s')
        await span(page, 'first').locator('.piece-succeeded').waitFor()
        await span(page, 'first').getByTitle('00:00:00.000 – 00:00:04.000').waitFor()
        await page.getByLabel('Waterfall of the tasks, newest first').focus()
        for (const key of ['ArrowDown', 'j', 'k', 'j', 'j']) await page.keyboard.press(key)
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'first' }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('heading', { name: 'Overview' }).waitFor()
      }),
    },
    {
      title: 'the overview: the range follows the clock',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'early' })
        await server.advance('5m')
        await server.create('acme/image-1', { prompt: 'late' })
        await span(page, 'early').waitFor()
        const pressed = () => page.locator('.overview-head label:has(:checked)').innerText()
        expectEqual('the range that fits', await pressed(), '10 min')
        await page.getByRole('radio', { name: '1 min', exact: true }).click()
        await span(page, 'early').waitFor({ state: 'detached' })
        await span(page, 'late').waitFor()
        await server.advance('2m')
        await page.getByText('No tasks in this time range.').waitFor()
        await page.getByRole('radio', { name: 'All', exact: true }).click()
        await span(page, 'early').waitFor()
      }),
    },
    {
      title: 'the overview: the costs of the models, and those of the keys, add up to the one figure',
      run: scene(async (page, server) => {
        for (const model of ['acme/image-1', 'acme/video-1', 'acme/image-1'])
          await server.create(model, { prompt: 'x' })
        await server.post(
          '/api/v1/tasks',
          { model: 'acme/image-1', input: { prompt: 'y' } },
          'sk_live_other_key',
        )
        await server.advance('1m')
        // The list of tasks lacks one, as if the server had forgotten it.
        await page.route('**/_sim/tasks?**', async (route) => {
          const response = await route.fetch()
          const list = await response.json()
          await route.fulfill({ response, json: { ...list, data: list.data.slice(1) } })
        })
        await page.reload()
        const card = page.getByRole('region', { name: 'Spend', exact: true })
        const { spent_usd: spent } = await server.get<{ spent_usd: number }>('/_sim/state')
        const figure = `$${spent.toFixed(2)}`
        await card.getByText(figure, { exact: true }).first().waitFor()
        const sum = async () => {
          const cells = await card.locator('.cost-legend td:last-child').allInnerTexts()
          return cells.reduce((total, text) => total + Number(text.slice(1)), 0).toFixed(2)
        }
        expectEqual('the sum of the models', await sum(), spent.toFixed(2))
        await card.getByRole('radio', { name: 'By key' }).click()
        await card.getByRole('cell', { name: 'sk_..._key' }).waitFor()
        expectEqual('the sum of the keys', await sum(), spent.toFixed(2))
      }),
    },
    {
      title: 'the overview: a failing receiver leads to its delivery, a finding to its rule',
      run: scene(async (page, server) => {
        let status = 503
        await withReceiver(
          async (url) => {
            await server.post('/_sim/receivers', { url })
            const id = await server.create('acme/image-1', { prompt: 'a boat' })
            for (let poll = 0; poll < 8; poll++) {
              await server.get(`/api/v1/tasks/${id}`)
              await server.advance('100ms')
            }
            await server.advance('3s')
            const failing = page.getByRole('region', { name: 'Failing webhooks' })
            await failing.getByText('answered 503').waitFor()
            await page.getByRole('region', { name: 'Findings' }).getByRole('link').first().waitFor()
            await failing.getByRole('link').click()
            await page.locator('.attempt').first().waitFor()
            status = 204
            await server.advance('1h')
            await visit(page, server, 'tasks')
            await failing.getByText('No receiver is failing.').waitFor()
          },
          () => status,
        )
      }),
    },
    {
      title: 'the overview: on a phone, a link above the list leads to it, and back',
      run: scene(
        async (page, server) => {
          await server.create('acme/image-1', { prompt: 'a boat' })
          await row(page, 'a boat').waitFor()
          await page.getByRole('link', { name: 'Overview' }).click()
          await span(page, 'a boat').click()
          await page.getByRole('heading', { name: 'a boat' }).waitFor()
          await page.goBack()
          await span(page, 'a boat').waitFor()
          await page.getByRole('link', { name: 'All tasks' }).click()
          await row(page, 'a boat').waitFor()
        },
        { viewport: { width: 390, height: 844 } },
      ),
    },
  ]
}

function span(page: Page, text: string) {
  return page.locator('.span', { hasText: text })
}
