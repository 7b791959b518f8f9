import type { RunnerTestCase } from 'vitest'
import { announcesEnds } from '../engine/webhooks/webhook-format.js'
import type { Simulator } from '../library/build-simulator.js'

/**
 * Explains the error of a test whose receiver got no webhook, because no create request has named it.
 * @throws an error with the explanation
 */
export function explainUnnamed({ result }: RunnerTestCase, { counters, webhooks, tasks }: Simulator): void {
  if (result?.state !== 'fail' || counters.attempts > 0) return
  const receiver = webhooks.receivers.list().find(({ isOnlyNamed }) => isOnlyNamed === true)
  const unnamed = [...tasks.all()].find(
    (task) => announcesEnds(webhooks.formatOf(task.dialect)) && !webhooks.announcesEnd(task),
  )
  if (receiver === undefined || unnamed === undefined) return
  throw new Error(
    `No webhook was sent to ${receiver.url} in this test, because the create request of ${unnamed.id} named no webhook. ` +
      'Let the client name the URL of the receiver in its create request. If webhooks are a setting of the account at ' +
      'the service, register the receiver for every task: `{ url, handle, everyTask: true }`.',
  )
}
