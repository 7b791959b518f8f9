import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { eventually, row, type Scene, visit } from './stage.js'

/** Checks that the address has the state of the view of tasks, and that the title names it. */
export function addressChecks(scene: Scene): Check[] {
  return [
    {
      title:
        'the address has the filter and the open task, which is in view and has the focus after a reload',
      run: scene(keepState),
    },
    { title: 'the list of tasks keeps its position behind another view', run: scene(keepPosition) },
    {
      title: 'the title of the page names the open task, its state, and the number of refused requests',
      run: scene(async (page, server) => {
        const id = await server.create('acme/image-1', { prompt: 'a mill' })
        await fetch(`${server.url}/api/v1/tasks`, { method: 'POST' })
        await visit(page, server, `tasks/${id}`)
        const hasTitle = (wanted: string) =>
          eventually(
            wanted,
            () => page.title(),
            (title: string) => title === wanted,
          )
        await hasTitle(`(1) ${id} processing – tasksim`)
        await server.post(`/_sim/tasks/${id}/finish`, { status: 'failed' })
        await hasTitle(`(1) ${id} failed – tasksim`)
        await page.keyboard.press('Escape')
        await hasTitle('(1) Tasks – tasksim')
      }),
    },
  ]
}

async function keepState(page: Page, server: Server): Promise<void> {
  for (let number = 1; number <= 30; number++)
    await server.create(number % 3 === 0 ? 'acme/image-2' : 'acme/image-1', {
      prompt: `boat number ${number}`,
    })
  await visit(page, server, 'tasks')
  await page.getByLabel('Model', { exact: true }).selectOption('acme/image-1')
  await page.getByLabel('Search tasks').fill('boat')
  await page.getByLabel('Search tasks').press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'boat number 1', exact: true }).waitFor()
  const address = String(await page.evaluate('location.hash'))
  expectEqual('the query in the address', address.split('?')[1], 'model=acme%2Fimage-1&text=boat')
  await page.reload()
  await page.getByRole('heading', { name: 'boat number 1', exact: true }).waitFor()
  await row(page, 'boat number 1').last().waitFor()
  const isInView = `(() => {
    const list = document.querySelector('[data-list]').getBoundingClientRect()
    const open = document.querySelector('.row[aria-selected=true]')?.getBoundingClientRect()
    return open !== undefined && open.top >= list.top && open.bottom <= list.bottom
  })()`
  await eventually('the open task in view', () => page.evaluate(isInView), Boolean)
  expectEqual('the size of the list', await page.locator('.row').first().getAttribute('aria-setsize'), '20')
  // The list has the focus, so that its keys work.
  await page.keyboard.press('ArrowUp')
  await page.getByRole('heading', { name: 'boat number 2' }).waitFor()
  expectEqual(
    'the query after another task',
    String(await page.evaluate('location.hash')).split('?')[1],
    'model=acme%2Fimage-1&text=boat',
  )
}

async function keepPosition(page: Page, server: Server): Promise<void> {
  for (let number = 1; number <= 30; number++)
    await server.create('acme/image-1', { prompt: `boat ${number}` })
  await row(page, 'boat 30').waitFor()
  const list = page.getByRole('listbox', { name: 'Tasks, newest first', exact: true })
  await list.evaluate((list) => {
    Object.assign(list, { scrollTop: 480 })
  })
  await row(page, 'boat 20').waitFor()
  await page.keyboard.press('2')
  await page.getByText('No request selected').waitFor()
  await page.keyboard.press('1')
  const top = () => list.evaluate((list) => (list as { scrollTop?: number }).scrollTop)
  await eventually('the position', top, (now: number) => now === 480)
}
