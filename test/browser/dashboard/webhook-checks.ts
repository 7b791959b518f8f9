import { createHmac } from 'node:crypto'
import { type Check, expectEqual } from '../../support/check.js'
import { withReceiver } from './receiver.js'
import { eventually, row, type Scene, visit } from './stage.js'

/** Checks deliveries and receivers. */
export function webhookChecks(scene: Scene): Check[] {
  return [
    {
      title: 'a webhook is redelivered, with the same bytes and the same signature',
      run: scene(async (page, server) => {
        await withReceiver(async (url, bodies) => {
          await server.create('acme/image-1', { prompt: 'a bell' }, { webhook_url: url })
          await server.advance('10s')
          await visit(page, server, 'webhooks')
          await row(page, 'task.succeeded').click()
          await page.getByRole('button', { name: 'Redeliver', exact: true }).click()
          await eventually(
            'a second webhook',
            async () => bodies.length,
            (count: number) => count === 2,
          )
          expectEqual('the bodies', bodies[0], bodies[1])
          await page.getByRole('link', { name: 'dlv_00000001' }).waitFor()
          await page.getByLabel('Command for the secret').getByText('npx tasksim secret').waitFor()
          await page
            .locator('.attempt')
            .getByText(/^\d+ headers$/)
            .first()
            .click()
          const signature = createHmac('sha256', 'whsec_local_signing_secret')
            .update(bodies[0] ?? '')
            .digest('hex')
          await page.locator('.headers').getByText(signature, { exact: true }).waitFor()
          await eventually(
            'two deliveries',
            () => page.locator('.row').count(),
            (count: number) => count === 2,
          )
        })
      }),
    },
    {
      title: 'a receiver is added, tested and removed',
      run: scene(async (page, server) => {
        await withReceiver(async (url, bodies) => {
          await visit(page, server, 'webhooks')
          await page.getByText('No receivers yet').waitFor()
          const field = page.getByLabel('URL', { exact: true })
          await field.fill('ftp://example.com')
          await field.press('Enter')
          await page.locator('.field-error', { hasText: 'ftp://example.com' }).waitFor()
          expectEqual('the field', await field.getAttribute('aria-invalid'), 'true')
          await page.getByLabel('URL', { exact: true }).fill(url)
          await page.getByRole('button', { name: 'Add receiver' }).click()
          await page.getByLabel('Test webhook').selectOption('tasks: task.failed')
          await page.getByRole('button', { name: 'Test', exact: true }).click()
          await page.getByText('task.failed: 204').waitFor()
          expectEqual('the event', JSON.parse(bodies[0] ?? '{}').event, 'task.failed')
          await page.getByRole('button', { name: `Remove ${url}` }).click()
          await page.getByText('No receivers yet').waitFor()
        })
      }),
    },
    {
      title: 'a receiver is tested in the format of another service, with the keyboard, on a narrow screen',
      run: scene(
        async (page, server) => {
          await withReceiver(async (url, bodies) => {
            await server.post('/_sim/receivers', { url })
            await visit(page, server, 'webhooks')
            await page.getByRole('button', { name: 'Test', exact: true }).waitFor()
            await page.getByRole('option', { name: 'luma: task.started' }).waitFor({ state: 'attached' })
            await page.getByLabel('Test webhook').focus()
            await page.keyboard.type('luma: task.started')
            await page.keyboard.press('Tab')
            await page.keyboard.press('Enter')
            await page.getByText('task.started: 204').waitFor()
            expectEqual('the state', JSON.parse(bodies[0] ?? '{}').state, 'dreaming')
            expectEqual(
              'the offered dialects',
              await page.locator('option', { hasText: 'runway' }).count(),
              0,
            )
            const width = await page.evaluate('document.documentElement.scrollWidth')
            expectEqual('whether the page is as wide as the screen', width, 360)
          })
        },
        { viewport: { width: 360, height: 740 } },
      ),
    },
  ]
}
