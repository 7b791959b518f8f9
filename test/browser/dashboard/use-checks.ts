import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { eventually, row, type Scene } from './stage.js'

/** Checks that the dashboard works with the keyboard alone and in both themes. */
export function useChecks(scene: Scene): Check[] {
  return [
    { title: 'all can be done with the keyboard alone', longest: 60_000, run: scene(walk) },
    {
      title: 'the theme follows the system until one is chosen, and the choice is kept',
      run: scene(async (page) => {
        const theme = () => page.locator('html').getAttribute('data-theme')
        expectEqual('the theme', await theme(), 'light')
        await page.emulateMedia({ colorScheme: 'dark' })
        await eventually('the dark theme', theme, (now: string) => now === 'dark')
        await page.getByRole('button', { name: 'Light theme' }).click()
        await page.reload()
        await eventually('the light theme', theme, (now: string) => now === 'light')
      }),
    },
  ]
}

async function walk(page: Page, server: Server): Promise<void> {
  await server.create('acme/image-1', { prompt: 'first' })
  await server.create('acme/image-1', { prompt: 'second' })
  await row(page, 'second').waitFor()
  const { keyboard } = page
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
  await keyboard.press('Tab')
  expectEqual('the first stop', await focused(), 'Skip to content')
  const stops = new Set<string>()
  for (let stop = 0; stop < 40 && !stops.has('Tasks, newest first'); stop++) {
    await keyboard.press('Tab')
    stops.add(String(await focused()))
  }
  expectEqual('whether Tab leads to the list', stops.has('Tasks, newest first'), true)
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'first' }).waitFor()
  await keyboard.press('k')
  await page.getByRole('heading', { name: 'second' }).waitFor()
  await keyboard.press('.')
  await page.getByText('The task succeeded, as planned.').waitFor()
  await keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await keyboard.press('/')
  await keyboard.type('first')
  await eventually(
    'one task in the list',
    () => page.locator('.row').count(),
    (count: number) => count === 1,
  )
  await keyboard.press('Escape')
  await keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  for (const [key, heading] of [
    ['3', 'Receivers'],
    ['5', 'Preview'],
    ['2', 'No request selected'],
  ] as const) {
    await keyboard.press(key)
    await page.getByRole('heading', { name: heading }).waitFor()
  }
}
