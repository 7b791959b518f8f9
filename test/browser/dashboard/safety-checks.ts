import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { editorText, eventually, fillEditor, row, type Scene, visit } from './stage.js'

/** Checks that no work is lost: drafts of scenarios, the active scenario, the tasks. */
export function safetyChecks(scene: Scene): Check[] {
  return [
    {
      title: 'a reset deletes nothing before it is confirmed',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'precious' })
        await visit(page, server, 'scenario')
        await page.getByRole('button', { name: 'Reset simulator…' }).click()
        await page.getByRole('dialog').getByText('deletes all tasks').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        expectEqual(
          'the focus',
          await page.evaluate('document.activeElement.textContent'),
          'Reset simulator…',
        )
        await visit(page, server, 'tasks')
        await row(page, 'precious').waitFor()
        await visit(page, server, 'scenario')
        await page.getByRole('button', { name: 'Reset simulator…' }).click()
        await page.getByRole('button', { name: 'Reset simulator', exact: true }).click()
        await visit(page, server, 'tasks')
        await page.getByRole('heading', { name: 'No tasks yet' }).waitFor()
      }),
    },
    {
      title: 'a draft survives another view, a reload and a reset',
      run: scene(async (page, server) => {
        await visit(page, server, 'scenario')
        const editor = page.getByLabel('Scenario in YAML')
        const holds = (text: string) =>
          eventually(
            `the draft ${text}`,
            () => editorText(editor),
            (now: string) => now === text,
          )
        await fillEditor(editor, 'kinds: {}\n')
        await page.keyboard.press('Tab')
        await visit(page, server, 'findings')
        await visit(page, server, 'scenario')
        await holds('kinds: {}\n')
        await page.reload()
        await holds('kinds: {}\n')
        await page.getByRole('button', { name: 'Reset simulator…' }).click()
        await page.getByRole('button', { name: 'Reset simulator', exact: true }).click()
        await page.getByText('Simulator reset.').waitFor()
        await holds('kinds: {}\n')
      }),
    },
    {
      title: 'the choice of a shipped scenario leaves a draft alone, and applying a scenario can be undone',
      run: scene(async (page, server) => {
        await visit(page, server, 'scenario')
        const editor = page.getByLabel('Scenario in YAML')
        const choose = async (name: string) => {
          await page.getByRole('button', { name: /^Scenario of new tasks/ }).click()
          await page.getByRole('menuitemradio', { name, exact: true }).click()
        }
        await fillEditor(editor, 'kinds: {}\n')
        await choose('flaky')
        await page.getByText('New tasks still follow flaky').waitFor()
        expectEqual('the draft', await editorText(editor), 'kinds: {}\n')
        await page.getByRole('button', { name: 'Discard changes' }).click()
        await page.getByRole('heading', { name: 'Scenario: flaky' }).waitFor()
        const flaky = await editorText(editor)
        await page.getByRole('button', { name: 'Undo apply' }).click()
        await page.getByText('New tasks still follow default').waitFor()
        expectEqual('what was undone, as a draft', await editorText(editor), flaky)
        expectEqual('the active scenario', await nameOfScenario(server), 'default')
      }),
    },
  ]
}

async function nameOfScenario(server: Server): Promise<string> {
  return (await server.get<{ name: string }>('/_sim/scenario')).name
}
