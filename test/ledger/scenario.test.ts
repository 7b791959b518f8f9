import { expect, test } from 'vitest'
import { dialectStarter } from '../../src/cli/init/starters.js'
import { createSimulator, parseDialect, parseScenario } from '../../src/index.js'
import { rowsOf } from '../../src/ledger/spaces.js'
import { replaceLayer } from '../../src/scenario/layers/assemble.js'
import { SHIPPED_NAMES, shippedScenario } from '../../src/scenario/shipped.js'
import { restoreSimulator } from './restore-simulator.js'

test.each(SHIPPED_NAMES)('the shipped scenario %s is the same after a restart', async (name) => {
  const before = createSimulator({ clock: 'manual' })
  before.useScenario(name, { keep: true })
  const after = createSimulator({ clock: 'manual' })
  await restoreSimulator(after, rowsOf(before))
  expect(after.scenario).toEqual(before.scenario)
  expect(after.initialScenario).toEqual(before.scenario)
})

test('a reset after a restart restores the initial scenario', async () => {
  const before = createSimulator({ scenario: parseScenario('description: mine') })
  before.useScenario('outage')
  const after = createSimulator()
  await restoreSimulator(after, rowsOf(before))
  expect(after.scenario.name).toBe('outage')
  await after.reset()
  expect(after.scenario).toEqual(before.initialScenario)
})

test('tasks in a dialect of the scenario continue', async () => {
  const { layer } = shippedScenario('default')
  const table = parseDialect(dialectStarter('', 'acme'))
  const before = createSimulator({ clock: 'manual' })
  before.useScenario(replaceLayer({ name: 'mine' }, { ...layer, dialects: { acme: { table } } }, null))
  const order = { dialect: 'acme', model: 'm', input: {}, owner: 'sk_one', origin: '', webhookUrl: undefined }
  await before.create(order)
  const after = createSimulator({ clock: 'manual' })
  await restoreSimulator(after, rowsOf(before))
  expect(after.dialects.get('acme')?.name).toBe('acme')
  expect([...after.tasks.all()]).toEqual([...before.tasks.all()])
})

test('a saved recording has to be given again', async () => {
  const recorded = { dialect: 'tasks', identityOf: () => undefined, courseOf: () => undefined }
  const scenario = { ...shippedScenario('instant'), name: 'run.jsonl', recorded: { ...recorded, planOf } }
  const rows = [...rowsOf(createSimulator({ scenario }))]
  const given = createSimulator({ scenario })
  await restoreSimulator(given, rows)
  expect(given.scenario).toEqual(scenario)
  await expect(restoreSimulator(createSimulator(), rows)).rejects.toThrow(
    'The saved state needs the recording run.jsonl, which it does not contain. Give that recording as the scenario.',
  )
})

function planOf(): never {
  throw new Error('not used')
}

test('the secret of the options overrides that of the saved scenario', async () => {
  const after = createSimulator({ webhookSecret: 'whsec_new' })
  await restoreSimulator(after, rowsOf(createSimulator({ webhookSecret: 'whsec_old' })))
  expect(after.scenario.webhooks.secret).toBe('whsec_new')
})

test('a simulator with another random seed is rejected', async () => {
  const rows = [...rowsOf(createSimulator({ seed: 'first' }))]
  await expect(restoreSimulator(createSimulator({ seed: 'second' }), rows)).rejects.toThrow(
    'The saved state has the random seed "first", but the simulator has "second".',
  )
})
