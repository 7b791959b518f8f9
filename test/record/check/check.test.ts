import { expect, it } from 'vitest'
import { parseScenario } from '../../../src/index.js'
import { check } from '../../../src/record/check/check.js'
import { learn } from '../../../src/record/learn/learn.js'
import { writeScenario } from '../../../src/record/scenario/write-scenario.js'
import { deepTest, sampleOf } from '../../support/deep.js'
import { playHistory, type Traffic, tasksIn } from '../played-history.js'

const [VIDEO, IMAGE] = ['acme/video-1', 'acme/image-1']
const ERRORS = [
  { code: 'content_policy', message: 'Rejected.', weight: 3 },
  { code: 'internal_error', message: 'Try again.' },
]

/** What a service does; an unchanged one has none of these. */
interface Service {
  readonly slower?: number
  readonly rate?: number
  readonly errors?: typeof ERRORS
  readonly perSecond?: number
  readonly running?: number
  readonly models?: readonly string[]
}

function scenarioOf({ slower = 1, rate = 0.1, errors = ERRORS, perSecond = 0.12, running = 4 }: Service) {
  return {
    models: {
      [VIDEO]: {
        delay: { median: `${20 * slower}s`, p95: `${50 * slower}s` },
        failures: { rate, errors },
        price: { per_second: perSecond },
      },
      [IMAGE]: {
        delay: { percentiles: { p0: '2s', p60: '3s', 'p60.1': '20s', p100: '30s' } },
        price: { per_image: 0.04 },
      },
    },
    capacity: { models: { [VIDEO]: { running } } },
  } as Exclude<Traffic['scenario'], string>
}

/** Plays clients of a service. @returns its history */
function played(service: Service, seed: string, tasks = 1_200): Promise<string> {
  const { models = [VIDEO, IMAGE] } = service
  return playHistory({
    scenario: scenarioOf(service),
    seed,
    tasks,
    every: 4_500,
    order: (index) => {
      const model = models[index % models.length] ?? VIDEO
      return {
        model,
        input: {
          prompt: 'waves',
          ...(model === IMAGE ? { n: 1 + (index % 4) } : { duration: 2 + (index % 7) }),
        },
      }
    },
  })
}

async function* piecesOf(history: string) {
  yield history
}

async function learned(history: string) {
  return parseScenario(writeScenario(await learn(tasksIn(piecesOf(history))), 'history.jsonl'))
}

async function changes(scenario: Awaited<ReturnType<typeof learned>>, history: string) {
  const checked = await check(scenario, tasksIn(piecesOf(history)))
  return checked.changes.map(({ name, what }) => `${name}: ${what}`)
}

const before = played({}, 'before').then(learned)

deepTest('the check of drift finds no change in an unchanged service', async () => {
  expect(await changes(await before, await played({}, 'after'))).toEqual([])
})

const SLOWER = { slower: 1.2 }
const CHANGED: [Service, string[]][] = [
  [SLOWER, [`${VIDEO}: delay`]],
  [{ rate: 0.2 }, [`${VIDEO}: failures`]],
  [
    {
      rate: 0.2,
      errors: ERRORS.toReversed().map((error) => ({
        ...error,
        weight: error.code === 'content_policy' ? 1 : 9,
      })),
    },
    [`${VIDEO}: errors`, `${VIDEO}: failures`],
  ],
  [{ perSecond: 0.144 }, [`${VIDEO}: price`]],
  [{ running: 3 }, [`${VIDEO}: limit`]],
  [{ running: 100 }, [`${VIDEO}: limit`]],
  [{ models: [VIDEO] }, [`${IMAGE}: missing model`]],
  [{ models: [VIDEO, IMAGE, 'acme/image-2'] }, ['acme/image-2: new model']],
]

it.each(sampleOf(1, CHANGED))('the check of drift finds what changed: %j', async (service, expected) => {
  expect((await changes(await before, await played(service, 'after'))).sort()).toEqual(expected)
})

it('the check of drift says what it could not compare', async () => {
  const scenario = await before
  const { gaps, changes } = await check(scenario, tasksIn(piecesOf(await played({}, 'few', 20))))
  expect(gaps).toContain(`${VIDEO}: 10 tasks are too few to compare; 30 are needed`)
  expect(changes).toEqual([])
})

deepTest(
  'the check of drift reports a change in at most 1 of 20 checks of an unchanged service',
  { timeout: 600_000 },
  async () => {
    let alarms = 0
    let history = await played({}, 'a0')
    for (let seed = 1; seed <= 20; seed++) {
      const scenario = await learned(history)
      history = await played({}, `a${seed}`)
      if ((await changes(scenario, history)).length > 0) alarms += 1
    }
    expect(alarms).toBeLessThanOrEqual(1)
  },
)

deepTest(
  'the check of drift finds a delay that is 20 % longer in at least 8 of 10 services, and each change of a price',
  { timeout: 600_000 },
  async () => {
    const found = { delay: 0, price: 0 }
    for (let seed = 0; seed < 10; seed++) {
      const scenario = await learned(await played({}, `a${seed}`))
      if ((await changes(scenario, await played(SLOWER, `c${seed}`))).includes(`${VIDEO}: delay`))
        found.delay += 1
      if (
        (await changes(scenario, await played({ perSecond: 0.144 }, `d${seed}`))).includes(`${VIDEO}: price`)
      )
        found.price += 1
    }
    expect(found.delay).toBeGreaterThanOrEqual(8)
    expect(found.price).toBe(10)
  },
)
