import type { Page } from 'playwright-core'
import type { Check } from '../../support/check.js'
import type { Server } from './server.js'
import { eventually, row, type Scene } from './stage.js'

const MOST_STOPS = 90

/** Checks that a user without a pointer can do everything, starting from the empty page. */
export function keyboardChecks(scene: Scene): Check[] {
  return [
    {
      title: 'the keyboard alone explains a refusal, creates, compares, redelivers and changes the scenario',
      longest: 90_000,
      run: scene(walk),
    },
  ]
}

async function walk(page: Page, server: Server): Promise<void> {
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor()

  await fetch(`${server.url}/api/v1/tasks`, { method: 'POST' })
  await press('2')
  await page.locator('.row').first().waitFor()
  await press('j', 'Enter')
  await page
    .getByRole('region', { name: 'Request', exact: true })
    .getByText(/no API key/i)
    .first()
    .waitFor()

  await press('c')
  await tabTo(page, 'prompt')
  await press('Control+a')
  await page.keyboard.type('a mill')
  await press('Control+Enter')
  await heading('a mill')
  await press('.')
  await page.getByText('The task succeeded, as planned.').waitFor()

  await server.create('acme/image-1', { prompt: 'a barn' }, { webhook_url: 'http://127.0.0.1:9/' })
  await row(page, 'a barn').waitFor()
  await tabTo(page, 'Compare with…')
  await press('Enter')
  await page.getByRole('menuitem', { name: /barn/ }).waitFor()
  await press('Enter')
  await heading('Comparison')
  await press('Escape', '.')

  await press('3')
  await page.locator('.row').first().waitFor()
  await press('j', 'Enter')
  await tabTo(page, 'Redeliver')
  await press('Enter')
  await page.getByText('Webhook redelivered.').waitFor()

  await press('Escape', '5')
  await page.getByLabel('Scenario in YAML').waitFor()
  await tabTo(page, 'Scenario in YAML')
  await press('Control+a')
  await page.keyboard.type('kinds: {}')
  await press('Control+Enter')
  await page.getByText(/applied to new tasks/).waitFor()
  await press('Escape', '?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Presses Tab until the focus is on a control with a name. */
async function tabTo(page: Page, name: string): Promise<void> {
  let stops = 0
  await eventually(
    `Tab to lead to ${name} within ${MOST_STOPS} stops`,
    async () => {
      if (stops++ < MOST_STOPS) await page.keyboard.press('Tab')
      return page.evaluate(FOCUSED)
    },
    (names: readonly string[]) => names.includes(name),
  )
}

/** The names that the focused control may have. */
const FOCUSED = `(({ ariaLabel, labels, textContent }) => [ariaLabel, textContent, ...(labels ?? [])]
  .map((each) => (each?.querySelector?.('span') ?? each)?.textContent ?? each ?? '')
  .map((each) => String(each).trim()))(document.activeElement.shadowRoot?.activeElement ?? document.activeElement)`
