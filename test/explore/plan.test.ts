import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planRuns, planSecondRuns } from '../../src/explore/plan.js'
import { runs } from '../support/deep.js'
import { PLACES, reached } from './fake-driver.js'

const numRuns = runs(40, 150)
const idsOf = (planned: readonly { readonly id: string }[]) => planned.map(({ id }) => id)

const STATES = ['queued', 'processing', 'succeeded', 'failed', 'canceled']
const task = fc.integer({ min: 1, max: 3 })
const place = fc.oneof(
  task.map((number) => `tasks.create#${number}`),
  task.map((number) => `task#${number}`),
  fc
    .tuple(fc.constantFrom('retrieve', 'result', 'cancel', 'stream'), task, fc.constantFrom(...STATES))
    .map(([operation, number, state]) => `tasks.${operation}#${number}.${state}`),
  fc
    .tuple(fc.constantFrom('succeeded', 'started'), task)
    .map(([event, number]) => `webhook:task.${event}#${number}`),
  fc.tuple(task, fc.nat(2)).map(([number, file]) => `file#${number}.${file}`),
  fc.constantFrom('tasks.list#1', 'tasks.list.processing-succeeded', 'files.upload#1', 'service.info#1'),
)
const errors = fc.uniqueArray(fc.constantFrom('out_of_memory', 'content policy', 'a:b+c', '500'))
const traits = fc.record({
  isSigned: fc.boolean(),
  signsTime: fc.boolean(),
  statusField: fc.constantFrom('status', undefined),
  outputFields: fc.constantFrom(['output'], []),
  errors: errors.map((codes) => codes.map((code) => ({ code, message: 'It failed.' }))),
})
/** The places of a baseline. */
const baseline = fc
  .tuple(fc.uniqueArray(place, { minLength: 1, maxLength: 12 }), traits)
  .map(([ids, traits]) => ids.map((id) => reached(id, traits)))
/** The places of a run after a deviation, beside those of the baseline. */
const added = fc.uniqueArray(
  fc.constantFrom(
    "tasks.create#1'2",
    "tasks.retrieve#1'2.succeeded",
    "tasks.retrieve#1.processing'2",
    'tasks.list.processing',
    "file#1'2.0",
    "webhook:task.succeeded#1'2",
  ),
)

describe('a plan', () => {
  it('has a run for each deviation at each place, in the order of the places', () => {
    const planned = planRuns(PLACES.map((id) => reached(id)))
    const places = planned.map(({ deviations: [first] }) => first?.place)
    expect([...new Set(places)]).toEqual([
      ...PLACES,
      'service@tasks.create#1',
      'service@tasks.retrieve#1.processing',
    ])
    expect(idsOf(planned)).toEqual(
      expect.arrayContaining([
        'tasks.create#1:lost',
        'task#1:stuck',
        'tasks.retrieve#1.succeeded:stale',
        'webhook:task.succeeded#1:wrong_signature',
        'file#1.0:expired',
        'service@tasks.create#1:outage',
      ]),
    )
  })

  it.each([
    ['an earlier state before there is one', 'tasks.retrieve#1.processing:stale', {}],
    ['a lost answer to a request that changes nothing', 'tasks.retrieve#1.processing:lost', {}],
    [
      'a forged signature of a service that signs nothing',
      'webhook:task.succeeded#1:wrong_signature',
      { isSigned: false },
    ],
    ['an old timestamp that nobody signs', 'webhook:task.succeeded#1:old_timestamp', {}],
    ['a webhook after the next one if there is only one', 'webhook:task.succeeded#1:reordered', {}],
    ['an unknown state of a service without states', 'task#1:unknown_status', { statusField: undefined }],
    ['a lack of an output that no field shows', 'task#1:no_output', { outputFields: [] }],
    [
      'a poll without the output that another request shows',
      'tasks.retrieve#1.succeeded:no_output',
      { showsOutput: 'tasks.result' },
    ],
    ['fewer files than one', 'task#1:fewer_files', { files: 1 }],
    ['more files of a task without files', 'task#1:more_files', {}],
    ['a failure of a task that fails anyway', 'task#1:failed', { outcome: 'failed' }],
  ] as const)('does not have %s', (_, id, traits) => {
    const places = PLACES.map((place) => reached(place, traits))
    expect(idsOf(planRuns(places))).not.toContain(id)
  })

  it('has a result without an output where the result has a request of its own', () => {
    const planned = planRuns([reached('tasks.result#1.succeeded', { showsOutput: 'tasks.result' })])
    expect(idsOf(planned)).toContain('tasks.result#1.succeeded:no_output')
  })

  it('has another number of files for a task with files', () => {
    const planned = planRuns([reached('task#1', { files: 2 })], { deviations: ['fewer_files', 'more_files'] })
    expect(planned.map(({ deviations: [first] }) => first?.armed.plan)).toEqual([{ files: 1 }, { files: 3 }])
  })

  it.each([
    [true, 'until_renewed'],
    [false, undefined],
  ])('has an expired URL that stays so where the service renews it: %s', (renewsUrls, repeats) => {
    const [planned] = planRuns([reached('file#1.0', { renewsUrls })], { deviations: ['expired'] })
    expect(planned?.deviations[0]?.armed.repeats).toBe(repeats)
  })

  it('has a failure for each error of the scenario', () => {
    const errors = [
      { code: 'out_of_memory', message: 'No memory is left.' },
      { code: 'too long', message: 'The prompt is too long.' },
    ]
    const planned = planRuns([reached('task#1', { errors })], { deviations: ['failed'] })
    expect(idsOf(planned)).toEqual(['task#1:failed.out_of_memory', 'task#1:failed.too_long'])
    expect(planned.map(({ deviations: [first] }) => first?.armed.plan?.error)).toEqual(errors)
  })

  it('lets a client wait for a slower task', () => {
    const planned = planRuns([reached('task#1', { duration: 20_000 })], { deviations: ['slower', 'stuck'] })
    expect(planned.map(({ deviations: [first] }) => [first?.word, first?.delays])).toEqual([
      ['stuck', 0],
      ['slower', 180_000],
    ])
  })

  it('gives each run an id of its own, from which it can be planned again', () => {
    fc.assert(
      fc.property(baseline, added, fc.array(fc.nat(), { minLength: 5 }), (places, more, some) => {
        const first = planRuns(places)
        const second = first.flatMap((run) =>
          planSecondRuns(
            run,
            [...places, ...more.map((id) => ({ ...reached(id), traits: places[0]?.traits }))],
            places,
          ),
        )
        const all = [...first, ...second]
        expect(new Set(idsOf(all)).size).toBe(all.length)
        for (const nth of some) {
          const run = all[nth % all.length] as (typeof all)[number]
          expect(planRuns(places, { only: [run.id] })).toEqual([run])
        }
      }),
      { numRuns },
    )
  })

  it('has fewer runs, in the same order, with each further filter', () => {
    const some = (values: readonly string[]) =>
      fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined })
    const filtered = baseline.chain((places) => {
      const all = planRuns(places)
      return fc.tuple(
        fc.constant(places),
        fc.record({
          places: some(places.map(({ id }) => id)),
          deviations: some([...new Set(all.flatMap(({ deviations }) => deviations.map(({ word }) => word)))]),
          skip: some(idsOf(all)),
          only: some(idsOf(all)),
        }),
      )
    })
    fc.assert(
      fc.property(filtered, ([places, filters]) => {
        const all = idsOf(planRuns(places))
        const planned = idsOf(planRuns(places, filters))
        expect(planned).toEqual(all.filter((id) => planned.includes(id)))
        for (const name of ['places', 'deviations', 'skip', 'only'] as const) {
          const { [name]: _, ...others } = filters
          expect(idsOf(planRuns(places, others))).toEqual(expect.arrayContaining(planned))
        }
        expect(planned.some((id) => filters.skip?.includes(id))).toBe(false)
      }),
      { numRuns },
    )
  })

  it.each([
    [{ places: ['tasks.create'] }, /^tasks\.create#1:/],
    [{ places: ['webhook'] }, /^webhook:/],
    [{ places: ['*.succeeded'] }, /^tasks\.retrieve#1\.succeeded:/],
    [{ deviations: ['outage'] }, /:outage$/],
    [{ places: ['file'], skip: ['*:slow', '*:hang'] }, /^file#1\.0:(?!slow|hang)/],
  ])('selects runs by %j', (filters, form) => {
    const planned = idsOf(
      planRuns(
        PLACES.map((id) => reached(id)),
        filters,
      ),
    )
    expect(planned.length).toBeGreaterThan(0)
    for (const id of planned) expect(id).toMatch(form)
  })

  it.each([
    [{ places: ['task.create'] }, 'The client reaches no place "task.create": did you mean `tasks.create`?'],
    [{ deviations: ['losst'] }, 'There is no deviation "losst": did you mean `lost`?'],
    [
      { only: ['tasks.create#1:losst'] },
      'There is no run "tasks.create#1:losst": at tasks.create#1, did you mean `lost`?',
    ],
    [
      { only: ['tasks.create#2:lost'] },
      'There is no run "tasks.create#2:lost": did you mean `tasks.create#1:lost`?',
    ],
    [
      { skip: ['tasks.create#1:lots'] },
      'There is no run "tasks.create#1:lots": at tasks.create#1, did you mean `lost`?',
    ],
    [
      { only: ['tasks.create#1:lost+task#1:stuck'] },
      'The second half of the run "tasks.create#1:lost+task#1:stuck" is not a request with a deviation',
    ],
    [
      { only: ["tasks.create#1:lost+tasks.create#1'2:stale"] },
      'There is no run "tasks.create#1\'2:stale": at tasks.create#1\'2, expected `429`',
    ],
  ])('rejects %j', (filters, message) => {
    expect(() =>
      planRuns(
        PLACES.map((id) => reached(id)),
        filters,
      ),
    ).toThrow(message)
  })
})

describe('the runs with a second deviation', () => {
  const places = PLACES.map((id) => reached(id))
  const [lost] = planRuns(places, { only: ['tasks.create#1:lost'] })
  const seen = [
    ...places,
    reached("tasks.create#1'2"),
    reached('tasks.list.processing'),
    reached("webhook:task.succeeded#1'2"),
  ]

  it('are at the requests that exist only because of the first one, the transient ones first', () => {
    const planned = planSecondRuns(lost as NonNullable<typeof lost>, seen, places)
    const classes = planned.map(({ deviations: [, second] }) => second?.class === 'transient')
    expect(classes).toEqual([...classes].sort((a, b) => Number(b) - Number(a)))
    const second = planned.map(({ deviations: [, second] }) => second?.place)
    expect([...new Set(second)].sort()).toEqual(["tasks.create#1'2", 'tasks.list.processing'])
    expect(idsOf(planned)).toContain('tasks.create#1:lost+tasks.list.processing:503')
  })

  it('do not follow an outage, or a second deviation', () => {
    const [outage] = planRuns(places, { only: ['service@tasks.create#1:outage_30s'] })
    expect(planSecondRuns(outage as NonNullable<typeof outage>, seen, places)).toEqual([])
    const [both] = planSecondRuns(lost as NonNullable<typeof lost>, seen, places)
    expect(planSecondRuns(both as NonNullable<typeof both>, seen, places)).toEqual([])
  })
})
