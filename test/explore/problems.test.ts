import { describe, expect, it } from 'vitest'
import { problemsOf, type Repetition } from '../../src/explore/problems.js'
import { RUN_RESULTS } from '../../src/explore/report.js'
import { FINDING_RULES } from '../../src/inspect/findings/rules.js'
import { RUNS, reportedRun } from './reports.js'

const REPETITION: Repetition = {
  waysToFind: ['list'],
  repeat: (id: string) => `tasksim explore --only ${id}`,
  reproduce: ([run = '']: readonly string[]) => ({ run, reason: 'It is not planned.' }),
}

it('runs with the same result at the same operation are one problem, the worst first', () => {
  const problems = problemsOf(RUNS, REPETITION)
  expect(
    problems.map(({ result, operation, deviations, runs }) => [result, operation, deviations, runs.length]),
  ).toEqual([
    ['hung', 'tasks.retrieve', ['hang'], 1],
    ['paid_twice', 'tasks.create', ['lost', 'cut'], 3],
    ['lost_result', 'file', ['cut'], 1],
    ['finding', 'tasks.retrieve', ['503'], 1],
    ['gave_up', 'tasks.retrieve', ['503'], 1],
  ])
  expect(problems[1]).toMatchObject({
    what: RUNS[1]?.what,
    remedy: expect.stringContaining('look for the task before you order again'),
    repeat: 'tasksim explore --only tasks.create#1:lost',
  })
})

it.each<[string, Repetition['waysToFind'], string]>([
  ['its list', ['list', 'possible_webhook'], 'in the list of the service.'],
  ['the webhook that the client gets', ['webhook'], 'by its webhook.'],
  ['both', ['list', 'webhook'], 'in the list of the service, or by its webhook.'],
  ['a webhook that the client could get', ['possible_webhook'], 'name a receiver in each create request.'],
  ['nothing', [], 'the service offers no way to look for the task.'],
])('the remedy of a lost create answer names the ways to find the task: %s', (_, waysToFind, end) => {
  const [run] = RUNS.filter(({ id }) => id === 'tasks.create#1:cut')
  const [problem] = problemsOf(run === undefined ? [] : [run], { ...REPETITION, waysToFind })
  expect(problem?.remedy).toContain(end)
})

it('a client that waits for a promise that nobody settles has a problem of its own, with a remedy of its own', () => {
  const wrong = { result: 'crashed', severity: 'error', ok: false } as const
  const problems = problemsOf(
    [
      reportedRun('tasks.retrieve#1.processing:cut', { ...wrong, status: 13 }),
      reportedRun('tasks.retrieve#1.processing:reset', wrong),
    ],
    REPETITION,
  )
  const remedies = problems.map(({ remedy }) => /^(?:Settle each promise|Catch the errors)/.exec(remedy)?.[0])
  expect(remedies.sort()).toEqual(['Catch the errors', 'Settle each promise'])
})

it('a problem shows the run with the fewest failures first', () => {
  const wrong = { result: 'paid_twice', severity: 'error', ok: false, operation: 'tasks.create' } as const
  const ids = ["tasks.create#1:503+tasks.create#1'2:lost", 'tasks.create#1:lost']
  const [problem] = problemsOf(
    ids.map((id) => reportedRun(id, wrong)),
    REPETITION,
  )
  expect(problem?.runs).toEqual(ids.reverse())
})

it('a problem with another finding is a problem of its own, and has the remedy of the finding', () => {
  const wrong = { result: 'finding', severity: 'error', ok: false } as const
  const problems = problemsOf(
    [
      reportedRun('tasks.retrieve#1.processing:503', { ...wrong, findings: ['pays-twice'] }),
      reportedRun('tasks.retrieve#1.processing:429', { ...wrong, findings: ['gives-up-after-failed-poll'] }),
    ],
    REPETITION,
  )
  const remedies = problems.map(({ remedy }) => FINDING_RULES.find((rule) => rule.remedy === remedy)?.id)
  expect(remedies).toEqual(['pays-twice', 'gives-up-after-failed-poll'])
})

/** The only problem of runs with a result, at one place. */
function problemAt(place: string, words: readonly string[], fields: Parameters<typeof reportedRun>[1]) {
  const runs = words.map((word) =>
    reportedRun(`${place}:${word}`, { ok: false, severity: 'error', ...fields }),
  )
  const problems = problemsOf(runs, REPETITION)
  expect(problems).toHaveLength(1)
  return problems[0] as (typeof problems)[number]
}

describe('the reason of an accepted forgery', () => {
  const forgeryOf = (words: readonly string[], severity: 'error' | 'warning' = 'error') =>
    problemAt('webhook:task.succeeded#1', words, { result: 'accepted_forgery', severity }).why

  it('is that anyone can send events, if no signature is needed', () => {
    expect(forgeryOf(['no_signature', 'wrong_signature'])).toContain('Anyone who knows the URL')
  })

  it('is that a recorded webhook can be sent again, if the time is not checked', () => {
    const why = forgeryOf(['old_timestamp'])
    expect(why).toContain('anyone who has recorded one')
    expect(why).not.toContain('knows the URL')
  })

  it('is that a signature fits another body, if the body is not verified', () => {
    expect(forgeryOf(['changed', 'truncated'])).toContain('another body')
  })

  it('does not claim that the receiver has acted on it, if nothing shows that', () => {
    expect(forgeryOf(['no_signature'], 'warning')).toContain('Nothing shows whether it acted on')
    expect(forgeryOf(['no_signature'], 'error')).not.toContain('Nothing shows')
  })
})

describe('a remedy', () => {
  it('speaks of unknown states, if one is taken for success', () => {
    const { remedy } = problemAt('tasks.retrieve#1.processing', ['unknown_status'], { result: 'lost_result' })
    expect(remedy).toContain('A status that you do not know is not success')
    expect(remedy).not.toContain('lack the output')
  })

  it('speaks of the order of events, if a late or second one does harm', () => {
    for (const word of ['duplicate', 'duplicate_at_once', 'reordered']) {
      const { remedy } = problemAt('webhook:task.started#1', [word], { result: 'gave_up' })
      expect(remedy).toContain('ignore an event whose state is older')
    }
  })

  it('says each thing once', () => {
    const { remedy } = problemAt('file#1.0', ['503', 'expired', '404', '410'], { result: 'lost_result' })
    expect(remedy.match(/for a new one/g)).toHaveLength(1)
  })
})

it('each wrong result of each operation has a reason and a remedy', () => {
  const operations = [
    'tasks.create',
    'tasks.list',
    'tasks.cancel',
    'webhook',
    'task',
    'file',
    'service',
    'files.upload',
  ]
  const wrong = RUN_RESULTS.filter((result) => !['finding', 'reported', 'recovered'].includes(result))
  const runs = wrong.flatMap((result) =>
    operations.map((operation) =>
      reportedRun(`${operation}#1:x`, { operation, result, ok: false, severity: 'error' }),
    ),
  )
  const problems = problemsOf(runs, REPETITION)
  expect(problems).toHaveLength(runs.length)
  for (const { why, remedy } of problems)
    expect([why, remedy]).toEqual([expect.stringMatching(/\w.*\.$/), expect.stringMatching(/\w.*\.$/)])
})
