import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { fillEditor, type Scene, visit } from './stage.js'

/** A large and a small screen, a phone, and a page of 1440 by 900 pixels at 200 %. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
  { width: 720, height: 450, deviceScaleFactor: 2 },
] as const

/** A view, or something that is open in it. */
interface Sight {
  readonly hash: string
  /** What is open. */
  readonly name?: string
  /** A text that appears once the view is complete. */
  readonly text: string | RegExp
  /** Opens something in the view. */
  open?(page: Page): Promise<void>
}

type Ids = Readonly<Record<'done' | 'open' | 'failed' | 'reply' | 'refused' | 'delivery', string>>

/** All views and everything that opens in them. A new view or dialog belongs into this table. */
const SIGHTS = (ids: Ids): readonly Sight[] => [
  { hash: 'tasks', text: 'a pier at night' },
  { hash: 'tasks?pane=open', text: 'Overview' },
  { hash: `tasks/${ids.done}`, text: 'Open signed URL' },
  { hash: `tasks/${ids.open}`, text: 'Finish' },
  { hash: `tasks/${ids.failed}`, text: 'content_policy' },
  { hash: `tasks/${ids.reply}`, text: 'Hello' },
  {
    hash: `tasks/${ids.done}`,
    name: 'the copy menu',
    text: 'Open signed URL',
    open: (page) => page.locator('main').locator('[aria-haspopup="menu"]').first().click(),
  },
  { hash: `tasks/${ids.done}?compare=${ids.failed}`, text: 'Comparison' },
  {
    hash: `tasks/${ids.done}`,
    name: 'the choice of a task to compare',
    text: 'Open signed URL',
    open: (page) => page.getByRole('button', { name: 'Compare with…' }).click(),
  },
  { hash: 'requests?status=refused', text: 'no API key' },
  { hash: `requests/${ids.refused}`, text: 'Response' },
  { hash: 'webhooks', text: '127.0.0.1:9' },
  { hash: 'new', text: 'Behavior' },
  { hash: `webhooks/${ids.delivery}`, text: 'Attempt' },
  { hash: 'findings', text: /^(?!Loading)\S/ },
  { hash: 'scenario', text: 'Preview' },
  { hash: 'scenario', name: 'a mistake', text: 'Preview', open: makeMistake },
  { hash: 'scenario', name: 'suggestions', text: 'Preview', open: suggest },
  {
    hash: 'scenario',
    name: 'the confirmation',
    text: 'Preview',
    open: (page) => page.getByRole('button', { name: 'Reset simulator…' }).click(),
  },
  {
    hash: `requests/${ids.refused}?again=edit`,
    name: 'both answers',
    text: 'Path and query',
    open: async (page) => {
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('region', { name: 'Answers' }).waitFor()
    },
  },
  { hash: `webhooks/${ids.delivery}?again=1`, text: 'Further headers' },
  {
    hash: 'tasks?pane=open',
    name: 'the help',
    text: 'Overview',
    open: (page) => page.keyboard.press('?'),
  },
  {
    hash: 'tasks?pane=open',
    name: 'the speeds of the clock',
    text: 'Overview',
    open: (page) => page.getByRole('button', { name: 'Paused' }).click(),
  },
  {
    hash: 'tasks?pane=open',
    name: 'the jumps of the clock',
    text: 'Overview',
    open: (page) => page.getByRole('button', { name: 'Jump', exact: true }).click(),
  },
]

/** Checks every view with axe, in both themes and in all sizes, and that no page is wider than its window. */
export function viewChecks(scene: Scene): Check[] {
  return (['light', 'dark'] as const).flatMap((colorScheme) =>
    SIZES.map(({ width, height, ...scale }) => ({
      title: `axe finds nothing serious in any view, and nothing is too wide: ${width} by ${height} pixels, ${colorScheme}`,
      longest: 90_000,
      run: scene(checkAll, { colorScheme, bypassCSP: true, viewport: { width, height }, ...scale }),
    })),
  )
}

async function checkAll(page: Page, server: Server): Promise<void> {
  await page.evaluate(axe.source)
  await page.getByText('No tasks yet').waitFor()
  await checkSight(page, 'the welcome')
  for (const { hash, name = 'the view', text, open } of SIGHTS(await populate(server))) {
    await visit(page, server, hash)
    await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor()
    await open?.(page)
    await checkSight(page, `${name} in ${hash}`)
    await close(page)
  }
  await page.goto(`${server.url}/_sim/docs`)
  await page.evaluate(axe.source)
  await checkSight(page, 'the API reference')
}

/** Closes what a sight has opened. */
async function close(page: Page): Promise<void> {
  for (const dialog of await page.locator('dialog[open], :popover-open').all())
    await dialog.press('Escape').catch(() => {})
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

async function checkSight(page: Page, what: string): Promise<void> {
  const violations = (await page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as Violation[]
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const listed = serious.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  )
  expectEqual(`what axe finds in ${what}`, listed.slice(0, 5), [])
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expectEqual(`how much ${what} is too wide`, Math.max(0, Number(excess)), 0)
}

async function makeMistake(page: Page): Promise<void> {
  const editor = page.getByLabel('Scenario in YAML')
  await fillEditor(editor, 'kinds: 7\n')
  await editor.press('Control+Enter')
  await page.locator('#mistakes').waitFor()
  await editor.blur()
}

async function suggest(page: Page): Promise<void> {
  const editor = page.getByLabel('Scenario in YAML')
  await fillEditor(editor, '')
  await editor.press('Control+Space')
  await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
}

async function populate(server: Server): Promise<Ids> {
  const nowhere = { webhook_url: 'http://127.0.0.1:9/' }
  const done = await server.create('acme/image-1', { prompt: 'a pier' }, nowhere)
  const reply = await server.create('acme/composer-2.5', { messages: [{ role: 'user', content: 'Hello' }] })
  const failed = await server.create('acme/image-1', { prompt: 'a harbor' })
  await server.post(`/_sim/tasks/${failed}/finish`, { status: 'failed', error: { code: 'content_policy' } })
  await server.advance('1m')
  const { output } = await server.get<{ output: { images: [string] } }>(`/api/v1/tasks/${done}`)
  await fetch(output.images[0], { headers: { authorization: 'Bearer sk_live_local' } })
  const open = await server.create('acme/video-1', { prompt: 'a pier at night', duration: 5 })
  const refusal = await fetch(`${server.url}/api/v1/tasks`, { method: 'POST' })
  const { data } = await server.get<{ data: [{ id: string }] }>('/_sim/deliveries')
  return {
    done,
    open,
    failed,
    reply,
    refused: refusal.headers.get('x-request-id') ?? '',
    delivery: data[0].id,
  }
}
