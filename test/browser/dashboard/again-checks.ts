import { type Check, expectEqual } from '../../support/check.js'
import { withReceiver } from './receiver.js'
import { fillEditor, type Scene, visit } from './stage.js'

/** Checks that requests and webhooks can be changed and sent again. */
export function againChecks(scene: Scene): Check[] {
  return [
    {
      title: 'a refused request is corrected and sent again, with both answers side by side',
      run: scene(async (page, server) => {
        const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'a mill' }, webhook_url: 7 })
        const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
        const refused = await fetch(`${server.url}/api/v1/tasks`, { method: 'POST', headers, body })
        await visit(page, server, `requests/${refused.headers.get('x-request-id')}`)
        await page.getByRole('link', { name: 'Edit and send again' }).click()
        const editor = page.getByLabel('Body', { exact: true })
        await editor.getByText('"webhook_url": 7').waitFor()
        await fillEditor(editor, '{ "model": "acme/image-1", "input": { "prompt": "a mill" } ')
        await page.getByText('This is not valid JSON, and is sent as it is').waitFor()
        expectEqual('the state of the editor', await editor.getAttribute('aria-invalid'), 'true')
        await editor.press('Control+End')
        await page.keyboard.type('}')
        await page.getByText('This is not valid JSON').waitFor({ state: 'detached' })
        await page.getByRole('link', { name: 'Close' }).click()
        await page.reload()
        await page.getByRole('link', { name: 'Edit and send again' }).click()
        await editor.getByText('"webhook_url": 7').waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Discard changes' }).click()
        await editor.getByText('"webhook_url": 7').waitFor()
        await fillEditor(editor, '{ "model": "acme/image-1", "input": { "prompt": "a mill" } }')
        await page.getByLabel('Path and query').fill('tasks')
        await page.getByText('The path must begin with a slash').waitFor()
        await page.getByLabel('Path and query').fill('/api/v1/tasks')
        await editor.press('Control+Enter')
        const answers = page.getByRole('region', { name: 'Answers' })
        await answers.getByRole('row', { name: /^Status 400 200/ }).waitFor()
        await answers.locator('.diff-removed', { hasText: 'webhook_url' }).first().waitFor()
        await answers.locator('.diff-added', { hasText: '"id": "task_' }).waitFor()
        await answers.getByRole('link', { name: 'Show task' }).click()
        await page.getByRole('heading', { name: 'a mill' }).waitFor()
      }),
    },
    {
      title: 'an answer that a fault has lost is shown, and a poll is sent again for a newer answer',
      run: scene(async (page, server) => {
        await server.put('/_sim/scenario', {
          scenario: {
            defaults: { delay: '1s' },
            faults: [{ name: 'gone', when: { operation: 'tasks.list' }, then: 'lost' }],
          },
        })
        const id = await server.create('acme/image-1', { prompt: 'a mill' })
        const headers = { authorization: 'Bearer sk_live_local' }
        const poll = await fetch(`${server.url}/api/v1/tasks/${id}`, { headers })
        await server.advance('5s')
        await visit(page, server, `requests/${poll.headers.get('x-request-id')}?again=edit`)
        await page.getByRole('button', { name: 'Send', exact: true }).click()
        const answers = page.getByRole('region', { name: 'Answers' })
        await answers.locator('.diff-removed', { hasText: /"status": "(queued|processing)"/ }).waitFor()
        await answers.locator('.diff-added', { hasText: '"status": "succeeded"' }).waitFor()
        await page.getByLabel('Path and query').fill('/api/v1/tasks')
        await page.getByRole('button', { name: 'Send', exact: true }).click()
        await answers.getByRole('row', { name: /^Status 200 lost/ }).waitFor()
      }),
    },
    {
      title: 'an attempt of a webhook is sent again with another body and a wrong signature',
      run: scene(async (page, server) => {
        await withReceiver(async (url, bodies) => {
          await server.post('/_sim/receivers', { url })
          await server.create('acme/image-1', { prompt: 'a bell' })
          await server.advance('10s')
          await visit(page, server, 'webhooks/dlv_00000001')
          await page.getByRole('link', { name: 'Edit and send again' }).click()
          const editor = page.getByLabel('Body', { exact: true })
          await editor.getByText('task.succeeded').first().waitFor()
          await fillEditor(editor, '{"event":"task.failed"}')
          await page.getByRole('region', { name: 'Webhook' }).getByLabel('Signature').selectOption('wrong')
          await fillEditor(page.getByLabel('Further headers'), 'x-try: 2')
          await page.getByRole('button', { name: 'Send', exact: true }).click()
          const answers = page.getByRole('region', { name: 'Answers' })
          await answers.getByRole('row', { name: 'Signature signature valid forged differs' }).waitFor()
          expectEqual('the body', bodies.at(-1), '{"event":"task.failed"}')
          await answers.getByRole('link', { name: 'Show delivery' }).click()
          await page.getByText('204 accepted').first().waitFor()
        })
      }),
    },
  ]
}
