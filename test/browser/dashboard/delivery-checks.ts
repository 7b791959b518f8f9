import { type Check, expectEqual } from '../../support/check.js'
import { withReceiver } from './receiver.js'
import { row, type Scene, visit } from './stage.js'

const FORGER = { name: 'forger', when: { nth: 1 }, then: ['wrong_signature', 'changed'] }

/** Checks the list of webhooks and the page of one. */
export function deliveryChecks(scene: Scene): Check[] {
  return [
    {
      title: 'a link opens one of 600 webhooks, in view, with the filters of the link',
      run: scene(async (page, server) => {
        await withReceiver(async (url) => {
          await server.post('/_sim/receivers', { url })
          for (let many = 0; many < 6; many++) {
            await Promise.all(
              Array.from({ length: 100 }, () => server.create('acme/image-1', { prompt: 'a' })),
            )
            await server.advance('10s')
          }
          await visit(page, server, 'webhooks/dlv_00000005?event=task.succeeded')
          await page.getByRole('heading', { name: /^task.succeeded/ }).waitFor()
          const list = page.getByRole('listbox', { name: 'Deliveries, newest first' })
          await list.locator('[aria-selected=true][aria-setsize="600"]').waitFor()
          expectEqual(
            'the event',
            await page.getByLabel('Event', { exact: true }).inputValue(),
            'task.succeeded',
          )
          await page.keyboard.press('/')
          await page.keyboard.type('nothing of this kind')
          await page.getByText('No matching deliveries').waitFor()
          expectEqual('the address', /text=nothing/.test(page.url()), true)
          await page.getByRole('button', { name: 'Show all deliveries' }).click()
          await list.locator('[aria-setsize="600"]').first().waitFor()
        })
      }),
    },
    {
      title: 'a forged webhook shows what its fault has changed, its answer, and what differs in the retry',
      run: scene(async (page, server) => {
        const statuses = [401, 204]
        await withReceiver(
          async (url) => {
            await server.put('/_sim/scenario', {
              scenario: { webhooks: { receivers: [url], faults: [FORGER] } },
            })
            await server.create('acme/image-1', { prompt: 'a bell' })
            await server.advance('10s')
            await visit(page, server, 'webhooks')
            await page.getByLabel('Signature').selectOption('forged')
            await row(page, 'signature valid').getByText('2 attempts').waitFor()
            await page.locator('[data-list]').focus()
            await page.keyboard.press('j')
            await page.keyboard.press('Enter')
            const first = page.getByRole('region', { name: 'Attempt 1' })
            await first.getByText('forged', { exact: true }).waitFor()
            await first.getByText('401', { exact: true }).waitFor()
            const changes = first.getByRole('region', { name: 'Changed by the webhook fault' })
            await changes.locator('.diff-added').getByText('"task.failed"').waitFor()
            await changes.getByRole('rowheader', { name: 'x-service-signature' }).waitFor()
            const second = page.getByRole('region', { name: 'Attempt 2' })
            await second.getByText('1 s later').waitFor()
            await second
              .getByRole('region', { name: 'Compared with attempt 1' })
              .locator('.diff-removed')
              .getByText('"task.failed"')
              .waitFor()
            await page.keyboard.press('Escape')
            await page.getByRole('heading', { name: 'Receivers' }).waitFor()
          },
          (number) => statuses[number - 1] ?? 204,
        )
      }),
    },
    {
      title: 'a receiver that accepts a forged webhook is marked',
      run: scene(async (page, server) => {
        await withReceiver(async (url) => {
          await server.put('/_sim/scenario', {
            scenario: { webhooks: { receivers: [url], faults: [FORGER] } },
          })
          await server.create('acme/image-1', { prompt: 'a bell' })
          await server.advance('10s')
          await visit(page, server, 'webhooks?verdict=deceived')
          await row(page, '204 accepted').getByText('forged').waitFor()
        })
      }),
    },
  ]
}
