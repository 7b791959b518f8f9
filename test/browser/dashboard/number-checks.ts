import { type Check, expectEqual } from '../../support/check.js'
import { eventually, row, type Scene, visit } from './stage.js'

/** Checks that the numbers, times and names on the page are right. */
export function numberChecks(scene: Scene): Check[] {
  return [
    {
      title: 'the counts of the states are those of the tasks that the search finds',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'a red boat' })
        await server.create('acme/image-1', { prompt: 'a green boat' })
        await server.advance('10s')
        await server.create('acme/image-1', { prompt: 'a red kite' })
        await row(page, 'a red kite').waitFor()
        const counts = () => page.locator('.chip b').allInnerTexts()
        await eventually('all tasks', counts, (now: string[]) => now.join() === '0,1,2,0,0')
        await page.getByLabel('Search tasks').fill('red')
        await eventually('the red tasks', counts, (now: string[]) => now.join() === '0,1,1,0,0')
        await page.getByRole('button', { name: 'succeeded' }).click()
        await row(page, 'a red boat').waitFor()
        expectEqual('the counts with a state', (await counts()).join(), '0,1,1,0,0')
      }),
    },
    {
      title: 'times have a date once the days differ',
      run: scene(async (page, server) => {
        const id = await server.create('acme/image-1', { prompt: 'old' })
        await row(page, 'old').getByText('00:00:00', { exact: true }).waitFor()
        await server.advance('30d')
        await server.create('acme/image-1', { prompt: 'new' })
        await row(page, 'old').getByText('2026-01-01 00:00:00', { exact: true }).waitFor()
        await row(page, 'new').getByText('00:00:00', { exact: true }).waitFor()
        await visit(page, server, `tasks/${id}`)
        await page.locator('.exchange').getByText('2026-01-01 00:00:00.000').waitFor()
      }),
    },
    {
      title: 'one choice shows all times in the zone of the browser, and reads those of a jump in it',
      run: scene(
        async (page, server) => {
          await server.create('acme/image-1', { prompt: 'early' })
          await row(page, 'early').getByText('00:00:00', { exact: true }).waitFor()
          await page.getByRole('button', { name: 'UTC' }).click()
          await row(page, 'early').getByText('09:00:00', { exact: true }).waitFor()
          await page.reload()
          await page.locator('.clock-time').getByText('09:00:00').waitFor()
          await page.getByRole('button', { name: 'Jump', exact: true }).click()
          await page.getByLabel('Offset, time or date').fill('09:30')
          await page.getByText('30 min forward, to 2026-01-01 09:30:00 local time').waitFor()
          await page.keyboard.press('Enter')
          await eventually(
            'the time of the clock',
            () => server.get<{ now: string }>('/_sim/clock'),
            ({ now }: { now: string }) => now === '2026-01-01T00:30:00.000Z',
          )
        },
        { timezoneId: 'Asia/Tokyo' },
      ),
    },
    {
      title: 'a task that the server forgets leaves the list at once',
      run: scene(async (page, server) => {
        const path = '/luma/dream-machine/v1/generations'
        const { id } = await server.post<{ id: string }>(`${path}/video`, {
          prompt: 'a short life',
          model: 'ray-2',
        })
        await row(page, 'a short life').waitFor()
        const headers = { authorization: 'Bearer sk_live_local' }
        await fetch(`${server.url}${path}/${id}`, { method: 'DELETE', headers })
        await row(page, 'a short life').waitFor({ state: 'detached' })
      }),
    },
    {
      title: 'a sandbox is made with a click, and commands have its key',
      run: scene(
        async (page, server) => {
          await page.getByRole('button', { name: /^Sandbox/ }).click()
          await page.getByRole('menuitem', { name: 'New sandbox' }).click()
          await page.locator('.sandbox-key').waitFor()
          const { data } = await server.get<{ data: { id: string; api_key: string }[] }>('/_sim/sandboxes')
          const box = data.find(({ id }) => page.url().includes(id))
          await server.post(
            '/api/v1/tasks',
            { model: 'acme/image-1', input: { prompt: 'inside' } },
            box?.api_key,
          )
          await row(page, 'inside').click()
          await page.getByRole('heading', { name: 'inside' }).waitFor()
          await page.getByRole('button', { name: 'Copy this task' }).click()
          await page.getByRole('menuitem', { name: 'curl command' }).click()
          await page.getByRole('button', { name: 'Copied' }).waitFor()
          const command = String(await page.evaluate('navigator.clipboard.readText()'))
          expectEqual('whether the command has its key', command.includes(`Bearer ${box?.api_key}'`), true)
          await fetch(`${server.url}/_sim/sandboxes/${box?.id}`, { method: 'DELETE' })
        },
        { permissions: ['clipboard-read', 'clipboard-write'] },
      ),
    },
  ]
}
