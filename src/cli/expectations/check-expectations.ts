import type { JsonObject } from '../../core/json.js'
import type { Expectation, Scenario } from '../../core/scenario/scenario.js'
import { toMilliseconds } from '../../core/time/durations.js'
import { Simulator } from '../../simulator.js'
import { compareLists, compareShares, differences } from './compare.js'
import { CuriousReceiver } from './curious-receiver.js'
import { InProcessClient, ORIGIN } from './in-process-client.js'

/**
 * Tries out what a scenario expects of itself, each expectation on a simulator of its own with a manual clock.
 * @returns what did not come as expected, a sentence each
 */
export async function checkExpectations(scenario: Scenario): Promise<string[]> {
  const disappointments: string[] = []
  for (const [index, expectation] of scenario.expect.entries()) {
    const found = await check(scenario, expectation)
    disappointments.push(...found.map((text) => `expect[${index}]: ${text}`))
  }
  return disappointments
}

async function check(scenario: Scenario, expectation: Expectation): Promise<string[]> {
  const receiver = new CuriousReceiver(scenario.webhooks)
  const sim = new Simulator(scenario, {
    clock: 'manual',
    receivers: [{ url: `${ORIGIN}/receiver` }],
    transport: receiver.transport,
  })
  const client = new InProcessClient(sim, scenario.auth.keys?.[0]?.key ?? 'sk_live_local')
  const { answers, ids } = await createAll(sim, client, expectation, receiver)
  const disappointments = compareLists('answers', expectation.answers, answers)
  const start = sim.clock.now()
  for (const [time, expected] of inOrder(expectation.at ?? {})) {
    await sim.clock.advanceTo(start + toMilliseconds(time))
    const { body } = await client.call('GET', `/api/v1/tasks/${ids[0]}`)
    disappointments.push(...differences(expected, body, '').map((text) => `at ${time}, ${text}`))
  }
  await sim.clock.runUntilIdle()
  disappointments.push(...(await compareEnds(sim, expectation, ids)))
  disappointments.push(...receiver.compare(expectation.webhooks))
  return disappointments
}

/** Sends the create requests; what is lost on the way has no id. */
async function createAll(
  sim: Simulator,
  client: InProcessClient,
  { after, create, repeat = 1, same = false, every }: Expectation,
  receiver: CuriousReceiver,
): Promise<{ answers: (number | 'none')[]; ids: string[] }> {
  const answers: (number | 'none')[] = []
  const ids: string[] = []
  if (after !== undefined) await sim.clock.advance(after)
  for (let number = 1; number <= repeat; number++) {
    if (number > 1 && every !== undefined) await sim.clock.advance(every)
    const input = repeat === 1 || same ? create.input : { ...create.input, variant: number }
    const { status, body } = await client.call('POST', '/api/v1/tasks', { model: create.model, input })
    receiver.answered()
    answers.push(status ?? 'none')
    if (typeof body['id'] === 'string') ids.push(body['id'])
  }
  return { answers, ids }
}

function inOrder(at: NonNullable<Expectation['at']>): [string, JsonObject][] {
  return Object.entries(at).sort(([a], [b]) => toMilliseconds(a) - toMilliseconds(b))
}

async function compareEnds(
  sim: Simulator,
  { outcomes, tasks }: Expectation,
  ids: readonly string[],
): Promise<string[]> {
  const ended = await Promise.all(ids.map((id) => sim.tasks.get(id)))
  const shares =
    outcomes === undefined
      ? []
      : compareShares(
          outcomes,
          ended.map((task) => task?.status),
        )
  return [...shares, ...compareLists('tasks', tasks === undefined ? undefined : [tasks], [sim.tally.created])]
}
