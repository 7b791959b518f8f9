import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Check } from '../../support/check.js'
import type { Server } from './server.js'

/** The server and the browser of a check. */
export interface Stage {
  readonly server: Server
  readonly browser: Browser
}

/** Opens a new page on a new simulator, passes it to the check, and closes it. */
export type Scene = (
  act: (page: Page, server: Server, figure: (text: string) => void) => Promise<void>,
  options?: BrowserContextOptions,
) => Check['run']

/** The longest wait for a condition, on a busy machine. */
const PATIENCE = 25_000

/**
 * Returns a function that runs a check on a stage. An error in the page or a violation of its policy fails the check.
 */
export function scenes({ server, browser }: Stage): Scene {
  return (act, options = {}) =>
    async (figure) => {
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
        await act(page, server, figure)
      } finally {
        await context.close()
      }
      if (errors.length > 0) throw new Error(`the page failed: ${errors.join('; ')}`)
    }
}

/** Opens a view, and waits until it is loaded. */
export async function visit(page: Page, server: Server, hash: string): Promise<void> {
  await page.goto(`${server.url}/_sim/#/${hash}`)
  await page.locator('main').waitFor()
}

/** Returns the line of the list with a text. */
export function row(page: Page, text: string) {
  return page.locator('.row', { hasText: text })
}

/** Waits until a condition holds. On a timeout it reports the actual value. */
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

/** Replaces the text in an editor, as a paste does. */
export async function fillEditor(editor: Locator, text: string): Promise<void> {
  await editor.press('Control+a')
  await editor.evaluate((content, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

/** The text in an editor. */
export function editorText(editor: Locator): Promise<string> {
  return editor.evaluate((content) =>
    [...content.querySelectorAll('.cm-line')].map(({ textContent }) => textContent).join('\n'),
  )
}

/** Returns a property of the element that a locator finds. */
export function property(of: Locator, name: string): Promise<unknown> {
  return of.evaluate((element, name) => (element as unknown as Record<string, unknown>)[name], name)
}
