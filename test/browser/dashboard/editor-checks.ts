import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { editorText, eventually, fillEditor, type Scene, visit } from './stage.js'

/** Checks that the editor of scenarios completes and explains keys, and that the keyboard can leave it. */
export function editorChecks(scene: Scene): Check[] {
  return [
    {
      title: 'the editor completes keys and values, indents lines, and undoes each of these',
      run: scene(async (page, server) => {
        await edit(page, server, 'kinds: {}\n')
        const { keyboard } = page
        await keyboard.type('fau')
        await page.getByRole('option', { name: /^faults/ }).waitFor()
        await keyboard.press('Tab')
        await keyboard.type('the')
        await page.getByRole('option', { name: /^then/ }).waitFor()
        await keyboard.press('Enter')
        await page.getByRole('option', { name: 'lost', exact: true }).waitFor()
        await keyboard.press('Escape')
        await keyboard.type('503')
        await keyboard.press('Enter')
        await keyboard.press('Control+Space')
        await page.getByRole('option', { name: /^when/ }).waitFor()
        await keyboard.press('ArrowDown')
        await eventually(
          'the option when to be active',
          () => page.locator('.cm-tooltip-autocomplete [aria-selected]').textContent(),
          (text: string) => text.startsWith('when'),
        )
        await keyboard.press('Enter')
        await keyboard.type('meth')
        await page.getByRole('option', { name: /^method/ }).waitFor()
        await keyboard.press('Enter')
        await page.getByRole('option', { name: 'GET' }).click()
        await holds(page, 'kinds: {}\nfaults:\n  - then: 503\n    when:\n      method: GET')
        await keyboard.press('Control+z')
        await holds(page, 'kinds: {}\nfaults:\n  - then: 503\n    when:\n      method: ')
        await keyboard.press('Control+y')
        await keyboard.press('Control+Enter')
        await page.getByText(/Scenario .* applied to new tasks/).waitFor()
      }),
    },
    {
      title: 'Tab leaves the editor when there are no suggestions, and Escape closes them first',
      run: scene(async (page, server) => {
        await edit(page, server, 'kinds: {}\nfau')
        const { keyboard } = page
        await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
        await keyboard.press('Escape')
        await page.getByRole('listbox').waitFor({ state: 'detached' })
        expectEqual(
          'the focus',
          await page.evaluate('document.activeElement.className'),
          'code-view code-edit',
        )
        // The mistakes are below the editor.
        await page.getByRole('button', { name: '2:1' }).waitFor()
        await keyboard.press('Tab')
        expectEqual('the focus', await page.evaluate('document.activeElement.textContent'), '2:1')
        await holds(page, 'kinds: {}\nfau')
      }),
    },
  ]
}

function editorOf(page: Page) {
  return page.getByLabel('Scenario in YAML')
}

/** Replaces the scenario, without its last word, which is typed. */
async function edit(page: Page, server: Server, text: string): Promise<void> {
  const isLoaded = page.waitForResponse('**/scenario.schema.json')
  await visit(page, server, 'scenario')
  await isLoaded
  const [, start = '', word = ''] = /^(.*?)(\w*)$/s.exec(text) ?? []
  await fillEditor(editorOf(page), start)
  await editorOf(page).press('Control+End')
  await page.keyboard.type(word)
}

async function holds(page: Page, text: string): Promise<void> {
  await eventually(
    'the text of the editor',
    () => editorText(editorOf(page)),
    (now: string) => now === text,
  )
}
