import { type Check, expectEqual } from '../../support/check.js'
import { eventually, row, type Scene, visit } from './stage.js'

/** Checks what the page shows while the server is gone, and after a restart has deleted everything. */
export function outageChecks(scene: Scene): Check[] {
  return [
    {
      title: 'without the server the shown time stops and is marked, and a task is not said to be loading',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'never seen' })
        await row(page, 'never seen').waitFor()
        await server.post('/_sim/clock', { mode: 'real', speed: 60 })
        await page.getByText('Running ×60').waitFor()
        await server.stop()
        try {
          await page.getByText('Last known time').waitFor()
          const time = () => page.locator('.clock-time b').innerText()
          const before = await time()
          await page.waitForTimeout(500)
          expectEqual('the time', await time(), before)
          const pause = page.getByRole('button', { name: 'Pause', exact: true })
          expectEqual('whether the clock can be paused', await pause.isEnabled(), false)
          for (const key of ['n', '.']) await page.keyboard.press(key)
          await page.getByText('Is it still running? (2 times)').waitFor()
          await row(page, 'never seen').click()
          await page
            .getByRole('region', { name: 'Task', exact: true })
            .getByText('The server does not answer')
            .waitFor()
        } finally {
          await server.restart()
        }
        await page.getByText('Task not found').waitFor()
        await page.getByText('Paused').waitFor()
      }),
    },
    {
      title: 'after a restart the list says that there are no tasks, not that a filter hides them',
      run: scene(async (page, server) => {
        const id = await server.create('acme/image-1', { prompt: 'before the end' })
        await visit(page, server, `tasks/${id}`)
        await page.getByRole('heading', { name: 'before the end' }).waitFor()
        await server.stop()
        await server.restart()
        await page.getByRole('heading', { name: 'No tasks yet' }).waitFor()
        expectEqual('what is said of filters', await page.getByText('filter').count(), 0)
        await server.create('acme/image-1', { prompt: 'a new life' })
        await row(page, 'a new life').waitFor()
      }),
    },
    {
      title: 'the focus stays on the task when its buttons disappear',
      run: scene(async (page, server) => {
        for (const prompt of ['ended by hand', 'ended by the clock']) {
          const id = await server.create('acme/image-1', { prompt })
          await visit(page, server, `tasks/${id}`)
          await page.getByRole('button', { name: 'Finish' }).focus()
          if (prompt === 'ended by hand') await page.keyboard.press('Enter')
          else await server.advance('1m')
          await page.getByText('The task succeeded, as planned.').waitFor()
          await eventually(
            `the focus on ${prompt}`,
            () => page.evaluate('document.activeElement.textContent'),
            (text: string) => text === prompt,
          )
        }
        await page.keyboard.press('j')
        await page.getByRole('heading', { name: 'ended by hand' }).waitFor()
      }),
    },
  ]
}
