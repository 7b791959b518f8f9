import { type Check, expectEqual } from '../../support/check.js'
import { editorText, eventually, fillEditor, row, type Scene, visit } from './stage.js'

/** The selected text of an editor, which is in a shadow tree. */
const SELECTED = 'String(document.querySelector(".code-edit").shadowRoot.getSelection())'

/** Checks of the clock, the scenario, the findings and reconnection. */
export function controlChecks(scene: Scene): Check[] {
  return [
    {
      title: 'the clock advances to the next event, resumes and pauses',
      run: scene(async (page, server) => {
        await server.create('acme/video-1', { prompt: 'one', duration: 5 })
        const time = () => page.locator('.clock-time b').innerText()
        await page.getByRole('button', { name: 'Next event' }).click()
        await eventually('the time to be that of the end', time, (now: string) => now === '00:00:06')
        await page.getByText('no events scheduled').waitFor()
        await page.getByRole('button', { name: '+1 h' }).click()
        await eventually('the time to be an hour later', time, (now: string) => now === '01:00:06')
        await page.getByRole('button', { name: 'Resume', exact: true }).click()
        await page.getByText('Running', { exact: true }).waitFor()
        await eventually('the time to run', time, (now: string) => now > '01:00:06')
        await page.getByRole('button', { name: 'Pause' }).click()
        await page.getByRole('button', { name: 'Paused' }).waitFor()
      }),
    },
    {
      title: 'a broken scenario shows its mistake and changes nothing; once fixed, it is applied',
      run: scene(async (page, server) => {
        await visit(page, server, 'scenario')
        const editor = page.getByLabel('Scenario in YAML')
        await eventually(
          'the file to be there',
          () => editorText(editor),
          (text: string) => text.length > 0,
        )
        await fillEditor(editor, 'kinds:\n  image:\n    delay: sometimes\n')
        await editor.press('Control+Enter')
        await page.locator('#mistakes').getByText('kinds.image.delay').waitFor()
        await page.locator('.cm-lint-marker-error').waitFor()
        expectEqual(
          'the active scenario',
          (await server.get<{ name: string }>('/_sim/scenario')).name,
          'default',
        )
        await page.getByRole('button', { name: '3:12' }).click()
        await page.keyboard.press('Shift+End')
        expectEqual('the text after the cursor', await page.evaluate(SELECTED), 'sometimes')
        await fillEditor(editor, 'kinds:\n  image:\n    delay: 7s\n')
        await page.getByRole('button', { name: 'Preview the draft' }).click()
        await page.locator('.sample', { hasText: 'duration 7 s' }).waitFor()
        await page.getByRole('button', { name: 'Apply' }).click()
        await eventually(
          'the scenario to be active',
          () => server.get<{ text: string }>('/_sim/scenario'),
          ({ text }: { text: string }) => text.includes('7s'),
        )
        await eventually(
          'no mistakes',
          () => page.locator('#mistakes').count(),
          (count: number) => count === 0,
        )
      }),
    },
    {
      title: 'the scenario is chosen beside the clock, its change is marked, and a draft is told about it',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'before' })
        await page.getByRole('button', { name: 'Scenario of new tasks: default' }).click()
        await page.getByRole('menuitemradio', { name: 'flaky', exact: true }).click()
        await page.getByRole('button', { name: 'Scenario of new tasks: flaky' }).waitFor()
        await server.create('acme/image-1', { prompt: 'after' })
        await server.advance('2h')
        await row(page, 'after').getByText('clock +2 h').waitFor()
        await row(page, 'before').getByText('scenario flaky').waitFor()
        await visit(page, server, 'scenario')
        const editor = page.getByLabel('Scenario in YAML')
        await editor.press('Control+End')
        await editor.pressSequentially('# mine')
        await page.getByRole('heading', { name: 'Draft of a scenario' }).waitFor()
        await server.put('/_sim/scenario', { name: 'outage' })
        const notice = page.getByRole('alert').filter({ hasText: 'Another scenario has become active' })
        await notice.getByText('outage, no longer flaky').waitFor()
        await notice.getByRole('button', { name: 'Keep the draft' }).click()
        await notice.waitFor({ state: 'detached' })
        await server.put('/_sim/scenario', { name: 'stuck' })
        await notice.getByRole('button', { name: 'Show stuck' }).click()
        await page.getByRole('heading', { name: 'Scenario: stuck' }).waitFor()
      }),
    },
    {
      title: 'a finding leads to the timeline of its task',
      run: scene(async (page, server) => {
        const id = await server.create('acme/image-1', { prompt: 'a key' })
        await server.advance('10s')
        const { output } = await server.get<{ output: { images: [string] } }>(`/api/v1/tasks/${id}`)
        await fetch(output.images[0], { headers: { authorization: 'Bearer sk_live_local' } })
        await visit(page, server, 'findings')
        await page.getByText('key-sent-to-file-host').waitFor()
        await page
          .getByRole('link', { name: `Timeline of ${id}` })
          .first()
          .click()
        await page.locator('.mark-download').first().waitFor()
      }),
    },
    {
      title: 'the findings say which faults never applied, and what would provoke each mistake',
      run: scene(async (page, server) => {
        const faults = [
          { name: 'busy list', when: { operation: 'tasks.list' }, then: 429 },
          { name: 'lost poll', when: { operation: 'tasks.retrieve' }, then: 'lost' },
        ]
        await server.put('/_sim/scenario', { scenario: { faults } })
        await server.get('/api/v1/tasks')
        await visit(page, server, 'findings')
        await page.getByText('1 rule of the scenario never applied').click()
        await page.getByText('lost poll', { exact: true }).waitFor()
        await page.getByText(/^\d+ mistakes could not be observed$/).click()
        await page
          .getByText(/^Run the scenario `lost-create-response`/)
          .first()
          .waitFor()
      }),
    },
    {
      title: 'a finding shows how often it was observed, also beyond its evidence',
      run: scene(async (page, server) => {
        const ids: string[] = []
        for (let task = 0; task < 22; task++)
          ids.push(await server.create('acme/image-1', { prompt: `boat ${task}` }))
        await server.advance('1m')
        for (const id of ids) for (let poll = 0; poll < 4; poll++) await server.get(`/api/v1/tasks/${id}`)
        await visit(page, server, 'findings/polls-after-end')
        const finding = page.locator('.finding.named')
        await finding.getByText('22 occurrences').click()
        await finding.getByRole('button', { name: 'Show all 22' }).click()
        await eventually(
          'all occurrences',
          () => finding.locator('.evidence li').count(),
          (count: number) => count === 22,
        )
        await server.advance('1m')
        await page.getByText('00:02:00').first().waitFor()
        await page.getByRole('button', { name: 'Check from now' }).click()
        await finding.waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Show all' }).click()
        await finding.getByText('22 occurrences').waitFor()
      }),
    },
    {
      title: 'a server that stops is reported, and a server that comes back is loaded again',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'before the end' })
        await row(page, 'before the end').waitFor()
        await server.stop()
        await page.getByRole('alert').getByText('The server does not answer').waitFor()
        await server.restart()
        await server.create('acme/image-1', { prompt: 'a new life' })
        await row(page, 'a new life').waitFor({ timeout: 15_000 })
        expectEqual('the tasks of the old server', await row(page, 'before the end').count(), 0)
        await server.create('acme/image-1', { prompt: 'and it goes on' })
        await row(page, 'and it goes on').waitFor()
      }),
    },
  ]
}
