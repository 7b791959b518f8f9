import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { row, type Scene, visit } from './stage.js'

/** Checks files with a state. */
export function stateChecks(scene: Scene): Check[] {
  return [{ title: 'a state is saved as a file, and loaded after a confirmation', run: scene(saveAndLoad) }]
}

async function saveAndLoad(page: Page, server: Server): Promise<void> {
  await server.create('acme/image-1', { prompt: 'a mill that is saved' })
  await visit(page, server, 'scenario')
  const menu = page.getByRole('button', { name: 'State', exact: true })
  await menu.click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save state' }).click()
  const file = await saved
  expectEqual('the name of the file', file.suggestedFilename(), 'tasksim-state.jsonl')
  await server.create('acme/image-1', { prompt: 'a mill that came later' })
  await page.getByLabel('File with a state').setInputFiles(await file.path())
  await page.getByRole('dialog').getByRole('button', { name: 'Load state' }).click()
  await page.getByText('Loaded ').waitFor()
  await visit(page, server, 'tasks')
  await row(page, 'a mill that is saved').waitFor()
  expectEqual('later tasks', await row(page, 'a mill that came later').count(), 0)
}
