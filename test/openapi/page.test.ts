import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { ROUTES } from '../../src/hosts/api.js'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { html } from '../../src/openapi/html.js'

async function fetchPage(options: Parameters<typeof listen>[1] = {}, query = ''): Promise<Response> {
  const sim = createSimulator()
  const { baseUrl, close } = await listen(sim, { port: 0, ...options })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  return fetch(`${new URL(baseUrl).origin}/_sim/docs${query}`)
}

test('the page shows every operation of both APIs', async () => {
  const page = await (await fetchPage()).text()
  for (const { id } of ROUTES.flatMap(({ methods }) => Object.values(methods)))
    expect(page).toMatch(new RegExp(`id="(?:control|service)-${id.replaceAll('.', '-')}"`))
})

test('the page allows its own style and nothing else', async () => {
  const response = await fetchPage()
  const policy = response.headers.get('content-security-policy')
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await response.text()) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
})

test('the page contains nothing for a browser to fetch or run', async () => {
  const page = await (await fetchPage()).text()
  expect(page).not.toMatch(
    /<(?:script|img|link|iframe|object|embed|base|form)\b|\s(?:src|on\w+|style)=|url\(|@import/,
  )
})

test('every link within the page has a target', async () => {
  const page = await (await fetchPage()).text()
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
  expect(targets.filter((target) => !ids.includes(target))).toEqual([])
})

test('the page has a dark style', async () => {
  expect(await (await fetchPage()).text()).toContain('prefers-color-scheme:dark')
})

test('if a token is required, the page is rejected without it, and its links carry it', async () => {
  const controlToken = 'a"b&c'
  expect((await fetchPage({ controlToken })).status).toBe(401)
  const page = await fetchPage({ controlToken }, `?token=${encodeURIComponent(controlToken)}`)
  expect(await page.text()).toContain('href="openapi.json?token=a%22b%26c"')
})

test('text in HTML is escaped', () => {
  expect(html`<p>${'<b> & "x"'}${['<', html`<i>${1}</i>`]}</p>`.text).toBe(
    '<p>&lt;b&gt; &amp; &quot;x&quot;&lt;<i>1</i></p>',
  )
})

test('the page links to the document of every dialect', async () => {
  const page = await (await fetchPage()).text()
  for (const name of ['tasks', 'luma', 'runpod'])
    expect(page).toContain(`href="dialects/${name}/openapi.json"`)
})
