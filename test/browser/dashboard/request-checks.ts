import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { eventually, row, type Scene, visit } from './stage.js'

const PATH = '/api/v1/tasks'
const SCENARIO = {
  defaults: { delay: '1s' },
  faults: [
    { name: 'outage', when: { operation: 'tasks.cancel' }, then: { status: 503 } },
    { name: 'gone', when: { operation: 'tasks.list' }, then: 'lost' },
  ],
}

/** Checks the view of the requests. */
export function requestChecks(scene: Scene): Check[] {
  return [
    {
      title: 'two clicks lead from an empty page to the reason why a request was refused',
      run: scene(findReason),
    },
    {
      title: 'requests appear live, can be filtered, and the filter is in the address',
      run: scene(filterRequests),
    },
    {
      title: 'a request shows its headers and bodies without the key, and can be copied',
      run: scene(readOne),
    },
    { title: 'a task and its requests link to each other', run: scene(followLinks) },
    {
      title: 'an open request does not outlive a reset',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'a mill' })
        await visit(page, server, 'requests')
        await page.locator('.row').first().click()
        await page.locator('.request-title').waitFor()
        await server.post('/_sim/reset')
        await page.getByText('Request not found').waitFor()
      }),
    },
    { title: 'requests can be read with the keyboard alone', run: scene(walk) },
  ]
}

async function send(server: Server, method: string, path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(server.url + path, { method, ...init }).catch(() => undefined)
  return response?.headers.get('x-request-id') ?? ''
}

const withKey = { headers: { authorization: 'Bearer sk_live_of_mine' } }

async function findReason(page: Page, server: Server): Promise<void> {
  for (let times = 0; times < 3; times++) await send(server, 'POST', PATH)
  await page.getByRole('link', { name: '3 requests were refused: 401, no API key' }).click()
  await row(page, 'no API key').first().click()
  await page.locator('.decision', { hasText: 'The request has no API key.' }).waitFor()
  await eventually(
    'the number of refused requests in the title',
    () => page.title(),
    (title: string) => title.startsWith('(3) req_'),
  )
  const link = page.getByRole('link', { name: /^Requests/ })
  expectEqual('the badge', await link.locator('.count-bad').textContent(), '3 refused')
}

async function filterRequests(page: Page, server: Server): Promise<void> {
  await server.put('/_sim/scenario', { scenario: SCENARIO })
  await visit(page, server, 'requests')
  const id = await server.create('acme/image-1', { prompt: 'a mill' })
  await row(page, 'POST /api/v1/tasks').waitFor()
  await send(server, 'POST', `${PATH}/${id}/cancel`, withKey)
  await send(server, 'GET', PATH, withKey)
  await send(server, 'GET', '/nowhere', withKey)
  await row(page, 'fault “outage”').waitFor()
  const counts = async () =>
    Promise.all((await page.locator('.chip b').all()).map(async (chip) => Number(await chip.innerText())))
  await eventually('the counts', counts, (now: number[]) => now.join() === '1,3,1,1,1')
  await page.locator('.chip', { hasText: 'lost' }).click()
  await row(page, 'fault “gone”').waitFor()
  expectEqual('the number of lost requests', await page.locator('.row').count(), 1)
  await page.locator('.chip', { hasText: 'refused' }).click()
  await page.getByLabel('Search requests').fill('outage 503')
  await eventually(
    'the address',
    () => page.evaluate('location.hash'),
    (hash: string) => hash.endsWith('?status=refused&text=outage+503'),
  )
  await page.reload()
  await row(page, 'fault “outage”').waitFor()
  expectEqual('the number of requests after a reload', await page.locator('.row').count(), 1)
  await page.getByRole('button', { name: 'Export the requests' }).click()
  const har = await page.getByRole('menuitem', { name: 'HAR' }).getAttribute('href')
  const { log } = (await (await fetch(String(har))).json()) as { log: { entries: object[] } }
  expectEqual('the number of requests in the HAR file', log.entries.length, 1)
}

async function readOne(page: Page, server: Server): Promise<void> {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'a mill' }, webhook_url: 7 })
  const headers = { ...withKey.headers, 'content-type': 'application/json', 'x-trace': 'one' }
  const id = await send(server, 'POST', PATH, { headers, body })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, server, `requests/${id}`)
  await page.locator('.decision', { hasText: 'invalid webhook_url' }).waitFor()
  await page
    .getByText(/^\d+ headers$/)
    .first()
    .click()
  const text = await page.locator('.task').innerText()
  for (const part of ['x-trace', 'Bearer sk_...mine'])
    expectEqual(`whether the page shows ${part}`, text.includes(part), true)
  for (const part of ['"webhook_url": 7', '"invalid_request"'])
    await page.locator('.cm-content', { hasText: part }).first().waitFor()
  await page.getByRole('button', { name: 'Copy this request' }).click()
  await page.getByRole('menuitem', { name: 'curl command' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const command = String(await page.evaluate('navigator.clipboard.readText()'))
  for (const part of [
    `curl -s ${server.url}${PATH}`,
    "-H 'authorization: Bearer sk_live_local'",
    '"webhook_url": 7',
  ])
    expectEqual(`whether the command has ${part}: ${command}`, command.includes(part), true)
  expectEqual('whether the page shows the key', (await page.content()).includes('sk_live_of_mine'), false)
}

async function followLinks(page: Page, server: Server): Promise<void> {
  const id = await server.create('acme/image-1', { prompt: 'a mill' })
  await visit(page, server, `tasks/${id}`)
  await page.locator('.exchange').click()
  await page.locator('.request-title', { hasText: 'POST' }).waitFor()
  await page.getByRole('link', { name: 'Show task' }).click()
  await page.getByRole('heading', { name: 'a mill' }).waitFor()
}

async function walk(page: Page, server: Server): Promise<void> {
  await send(server, 'GET', `${PATH}/none`, withKey)
  await send(server, 'POST', PATH)
  const { keyboard } = page
  await keyboard.press('2')
  await row(page, 'unknown task').waitFor()
  await keyboard.press('j')
  await keyboard.press('Enter')
  await page.locator('.decision', { hasText: 'The request has no API key.' }).waitFor()
  await keyboard.press('j')
  await page.locator('.decision', { hasText: 'No task with the id none' }).waitFor()
  await keyboard.press('Escape')
  await page.getByText('No request selected').waitFor()
  await keyboard.press('/')
  await keyboard.type('Bearer')
  await eventually(
    'one request in the list',
    () => page.locator('.row').count(),
    (count: number) => count === 1,
  )
}
