import axe from 'axe-core'
import type { Page } from 'playwright-core'
import type { Check } from '../check.js'
import { expectEqual } from '../check.js'
import type { Server } from './server.js'
import { eventually, row, type Scene, visit } from './stage.js'

/** Checks that the dashboard works with a keyboard, with a screen reader, on a phone and in the dark style. */
export function useChecks(scene: Scene): Check[] {
  return [
    ...(['light', 'dark'] as const).map((colorScheme) => ({
      title: `axe finds nothing serious in any view, ${colorScheme}`,
      longest: 90_000,
      run: scene(checkViews, { colorScheme, bypassCSP: true }),
    })),
    {
      title: 'axe finds nothing serious on a phone, and nothing is wider than it',
      longest: 90_000,
      run: scene(checkViews, { viewport: { width: 390, height: 844 }, bypassCSP: true }),
    },
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

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

async function checkViews(page: Page, server: Server): Promise<void> {
  await checkAccessibility(page, 'the welcome')
  const ids = await populate(server)
  for (const hash of [
    'tasks',
    `tasks/${ids.done}`,
    `tasks/${ids.open}`,
    `tasks/${ids.reply}`,
    'webhooks',
    'findings',
    'scenario',
    'metrics',
  ]) {
    await visit(page, server, hash)
    if (hash === 'scenario') await makeMistake(page)
    await page.waitForTimeout(400)
    if (hash === 'webhooks') await page.locator('.delivery summary').first().click()
    await checkAccessibility(page, hash)
  }
  await page.keyboard.press('?')
  await checkAccessibility(page, 'the help')
}

async function makeMistake(page: Page): Promise<void> {
  const editor = page.getByLabel('Scenario in YAML')
  await editor.fill('kinds: 7\n')
  await editor.press('Control+Enter')
  await page.locator('#mistakes').waitFor()
  await editor.blur()
}

async function populate(server: Server): Promise<{ done: string; open: string; reply: string }> {
  const done = await server.create(
    'acme/image-1',
    { prompt: 'a pier' },
    { webhook_url: 'http://127.0.0.1:9/' },
  )
  const reply = await server.create('acme/composer-2.5', { messages: [{ role: 'user', content: 'Hello' }] })
  await server.advance('1m')
  const { output } = await server.get<{ output: { images: [string] } }>(`/api/v1/tasks/${done}`)
  await fetch(output.images[0], { headers: { authorization: 'Bearer sk_live_local' } })
  const open = await server.create('acme/video-1', { prompt: 'a pier at night', duration: 5 })
  return { done, open, reply }
}

async function checkAccessibility(page: Page, view: string): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
    violations: Violation[]
  }
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const listed = serious.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  )
  expectEqual(`what axe finds in ${view}`, listed.slice(0, 5), [])
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expectEqual(`how much ${view} is too wide`, Math.max(0, Number(excess)), 0)
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
  await page.getByText('Select a task').waitFor()
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
    ['2', 'Deliveries'],
    ['4', 'Preview'],
    ['5', 'Tasks by state'],
  ] as const) {
    await keyboard.press(key)
    await page.getByRole('heading', { name: heading }).waitFor()
  }
}
