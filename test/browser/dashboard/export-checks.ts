import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { eventually, property, row, type Scene, visit } from './stage.js'

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Checks links, tests and files of tasks, requests and findings. */
export function exportChecks(scene: Scene): Check[] {
  return [
    {
      title: 'the keyboard copies a task as a link, and the link shows the task in its sandbox',
      run: scene(shareTask, CLIPBOARD),
    },
    {
      title: 'a task, a request and a finding are copied as tests',
      run: scene(copyTests, CLIPBOARD),
    },
    { title: 'a link to a finding shows it, also after a reset', run: scene(openFinding) },
    {
      title: 'requests are exported as JSON with the filter, from 320 pixels on',
      run: scene(exportRequests),
    },
    { title: 'an open menu follows the keyboard, and closes', run: scene(walkMenu) },
    { title: 'a menu hears keys as soon as it is open', run: scene(pressAtOnce) },
  ]
}

/** A key that a person presses before the browser has moved the focus into the menu. */
async function pressAtOnce(page: Page, server: Server): Promise<void> {
  const id = await server.create('acme/image-1', { prompt: 'a mill' })
  await visit(page, server, `tasks/${id}`)
  const button = page.getByRole('button', { name: 'Copy this task' })
  await button.focus()
  expectEqual('the focused line', await page.evaluate(OPEN_AND_MOVE), 'ID')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await button.focus()
  expectEqual('what Enter has chosen', await page.evaluate(OPEN_AND_CHOOSE), 'Link')
}

/** Opens the menu of the focused button, and presses a key, without a task of the browser between both. */
const openAnd = (key: string, result: string) => `(async () => {
  const button = document.activeElement
  const press = (key) => button.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  press('ArrowDown')
  for (let step = 0; step < 20; step++) await null
  press('${key}')
  await new Promise((resolve) => setTimeout(resolve, 200))
  return ${result}
})()`
const OPEN_AND_MOVE = openAnd('ArrowDown', 'document.activeElement.firstChild.textContent')
const OPEN_AND_CHOOSE = `(async () => {
  let chosen
  document.addEventListener('click', ({ target }) => (chosen = target.closest('[role=menuitem]')?.textContent), true)
  await ${openAnd('Enter', 'undefined')}
  return chosen
})()`

const copied = async (page: Page) => String(await page.evaluate('navigator.clipboard.readText()'))

async function copy(page: Page, what: string, item: string): Promise<string> {
  await page.evaluate("navigator.clipboard.writeText('')")
  await page
    .getByRole('button', { name: `Copy ${what}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  return copied(page)
}

async function shareTask(page: Page, server: Server): Promise<void> {
  const box = await server.post<{ id: string; api_key: string }>('/_sim/sandboxes', { name: 'shared' })
  const order = { model: 'acme/image-1', input: { prompt: 'a mill to share' } }
  const { id } = await server.post<{ id: string }>('/api/v1/tasks', order, box.api_key)
  await visit(page, server, `tasks/${id}?sandbox=${box.id}`)
  const button = page.getByRole('button', { name: 'Copy this task' })
  await button.focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  const link = await copied(page)
  expectEqual('the link', link, `${server.url}/_sim/#/tasks/${id}?sandbox=${box.id}`)
  const other = await page.context().newPage()
  await other.goto(link)
  await other.getByRole('heading', { name: 'a mill to share' }).waitFor()
  await row(other, 'a mill to share').waitFor()
  await other.close()
  await fetch(`${server.url}/_sim/sandboxes/${box.id}`, { method: 'DELETE' })
}

async function copyTests(page: Page, server: Server): Promise<void> {
  const id = await server.create('acme/image-1', { prompt: 'a mill' })
  await server.advance('1h')
  await visit(page, server, `tasks/${id}`)
  const ofTask = await copy(page, 'this task', 'Vitest test')
  expectEqual(
    'the test of the task',
    ofTask.includes("expect(task).toMatchObject({\n    status: 'succeeded'"),
    true,
  )
  await fetch(`${server.url}/api/v1/tasks`, { method: 'POST' })
  await visit(page, server, 'requests')
  await row(page, 'no API key').click()
  const ofRequest = await copy(page, 'this request', 'Vitest test')
  expectEqual('the test of the request', ofRequest.includes('expect(response.status).toBe(401)'), true)
  await visit(page, server, 'findings')
  await page.getByRole('button', { name: 'Copy this finding' }).first().waitFor()
  const ofFinding = await copy(page, 'this finding', 'Vitest test')
  expectEqual('the test of the finding', ofFinding.includes('await runClient(sim)'), true)
}

async function openFinding(page: Page, server: Server): Promise<void> {
  await fetch(`${server.url}/api/v1/tasks`, { method: 'POST' })
  for (let count = 0; count < 2; count++) await server.create('acme/image-1', { prompt: 'the same' })
  await server.advance('30d')
  await visit(page, server, 'findings')
  const articles = page.locator('.finding')
  await articles.first().waitFor()
  const id = await articles.last().locator('code').first().innerText()
  await visit(page, server, `findings/${id}`)
  const named = page.locator('.finding.named')
  await named.waitFor()
  expectEqual('its id', await named.locator('code').first().innerText(), id)
  await eventually(
    'the focus on the finding',
    () => named.evaluate((element) => element.ownerDocument.activeElement === element),
    (isFocused: boolean) => isFocused,
  )
  await page.reload()
  await named.waitFor()
  await server.post('/_sim/reset')
  await page.getByText(`The client has not made the mistake ${id}`).waitFor()
  await page.getByRole('link', { name: 'Show all findings' }).click()
  await page.getByText(`The client has not made the mistake ${id}`).waitFor({ state: 'hidden' })
}

async function exportRequests(page: Page, server: Server): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  await fetch(`${server.url}/api/v1/tasks`, { method: 'POST' })
  await server.create('acme/image-1', { prompt: 'a mill' })
  await visit(page, server, 'requests?status=refused')
  await row(page, 'no API key').waitFor()
  await page.getByRole('button', { name: 'Export the requests' }).click()
  const item = page.getByRole('menuitem', { name: 'JSON' })
  const box = await item.boundingBox()
  const isInside = box !== null && box.x >= 0 && box.x + box.width <= 320
  expectEqual('whether the menu is on the page', isInside, true)
  const [file] = await Promise.all([page.waitForEvent('download'), item.click()])
  expectEqual('the name of the file', file.suggestedFilename(), 'requests.json')
  const requests = await fetch(file.url()).then(
    (response) => response.json() as Promise<{ status: number }[]>,
  )
  expectEqual(
    'the requests',
    requests.map(({ status }) => status),
    [401],
  )
}

async function walkMenu(page: Page, server: Server): Promise<void> {
  const id = await server.create('acme/image-1', { prompt: 'a mill' })
  await visit(page, server, `tasks/${id}`)
  const button = page.getByRole('button', { name: 'Copy this task' })
  const menu = page.getByRole('menu', { name: 'Copy this task' })
  await button.focus()
  await page.keyboard.press('Enter')
  await menu.waitFor()
  expectEqual('whether the button says so', await button.getAttribute('aria-expanded'), 'true')
  const focused = () => page.locator(':focus').innerText()
  await eventually('the focus on the first item', focused, (text: string) => text === 'Link')
  for (const [key, text] of [
    ['ArrowUp', 'JSON'],
    ['Home', 'Link'],
    ['v', 'Vitest test\npasses as it is'],
    ['d', 'Vitest test\npasses as it is'],
  ] as const) {
    await page.keyboard.press(key)
    expectEqual(`the item after ${key}`, await focused(), text)
  }
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  expectEqual('whether the task is still open', await page.evaluate('location.hash'), `#/tasks/${id}`)
  await eventually(
    'the focus on the button',
    () => property(page.locator(':focus'), 'ariaHasPopup'),
    (popup: string) => popup === 'menu',
  )
  await button.click()
  await page.getByRole('heading', { name: 'a mill' }).click()
  await menu.waitFor({ state: 'hidden' })
}
