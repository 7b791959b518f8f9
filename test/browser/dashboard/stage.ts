import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Check } from '../check.js'
import type { Server } from './server.js'

/** What a check plays on. */
export interface Stage {
  readonly server: Server
  readonly browser: Browser
}

/** Opens the page anew, on a simulator that nobody has used; hands it to the check, and closes it. */
export type Scene = (
  act: (page: Page, server: Server) => Promise<void>,
  options?: BrowserContextOptions,
) => Check['run']

/** How long what is waited for may take on a machine with other work. */
const PATIENCE = 25_000

/** Makes scenes on a stage. An error in the page, and a breach of its policy, fail the check. */
export function scenes({ server, browser }: Stage): Scene {
  return (act, options = {}) =>
    async () => {
      await server.post('/_sim/reset')
      await server.post('/_sim/clock', { mode: 'manual' })
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      })
      context.setDefaultTimeout(PATIENCE)
      const errors: string[] = []
      try {
        const page = await context.newPage()
        page.on('pageerror', ({ message }) => errors.push(message))
        page.on('console', (message) => {
          if (/Content Security Policy/.test(message.text())) errors.push(message.text())
        })
        await page.goto(`${server.url}/_sim/`)
        await page.getByText('Live', { exact: true }).waitFor()
        await act(page, server)
      } finally {
        await context.close()
      }
      if (errors.length > 0) throw new Error(`the page failed: ${errors.join('; ')}`)
    }
}

/** Goes to a view, and waits until it is there. */
export async function visit(page: Page, server: Server, hash: string): Promise<void> {
  await page.goto(`${server.url}/_sim/#/${hash}`)
  await page.locator('main').waitFor()
}

/** The line of the list that shows a text. */
export function row(page: Page, text: string) {
  return page.locator('.row', { hasText: text })
}

/** Waits until something holds; says what was there instead where it never does. */
export async function eventually(
  what: string,
  look: () => Promise<unknown>,
  isRight: (value: never) => boolean,
): Promise<void> {
  const until = performance.now() + PATIENCE
  for (;;) {
    const value = await look()
    if (isRight(value as never)) return
    if (performance.now() > until) throw new Error(`Expected ${what}, got ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A property of the element that a locator finds. */
export function property(of: Locator, name: string): Promise<unknown> {
  return of.evaluate((element, name) => (element as unknown as Record<string, unknown>)[name], name)
}
