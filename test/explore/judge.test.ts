import { describe, expect, it } from 'vitest'
import type { ArmedDeviation } from '../../src/engine/exploration/armed-deviation.js'
import type { Fault } from '../../src/engine/requests/fault.js'
import type { DeviationClass } from '../../src/explore/deviations.js'
import { judge } from '../../src/explore/judge.js'
import type { ObservedRun, RunEnd, RunFacts, TaskFacts } from '../../src/explore/run.js'
import type { Finding, Severity } from '../../src/inspect/findings/finding.js'
import type { FindingId } from '../../src/inspect/findings/ids.js'

const SUCCESS: RunEnd = { type: 'success' }
const FAILURE: RunEnd = { type: 'failure', status: 1, message: 'The generation failed.' }

const task = (facts: Partial<TaskFacts> = {}): TaskFacts => ({
  id: 'task_1',
  number: '1',
  model: 'acme/image-1',
  input: { prompt: 'a lighthouse' },
  order: 'a lighthouse',
  status: 'succeeded',
  cost: 40_000,
  isKnown: true,
  isLeftRunning: false,
  isCanceled: false,
  waysToFind: ['list'],
  isLearned: true,
  isShown: true,
  isKnownToFail: false,
  files: [0],
  available: 1,
  isGivenUp: false,
  ...facts,
})
const UNSEEN = { isLearned: false, isShown: false, files: [] } as const
const ORPHAN = { ...UNSEEN, isKnown: false } as const
const FAILED = { ...UNSEEN, status: 'failed', cost: 0, isKnownToFail: true, available: 0 } as const
const CANCELED = { ...FAILED, status: 'canceled', isCanceled: true, order: 'a draft' } as const
const again = (facts: Partial<TaskFacts> = {}) => task({ id: 'task_2', number: "1'2", ...facts })

const finding = (id: FindingId, severity: Severity = 'error'): Finding => ({
  id,
  severity,
  title: id,
  why: '',
  remedy: '',
  count: 1,
  lastAt: 0,
  evidence: [],
})

interface Case extends Partial<RunFacts> {
  readonly end?: RunEnd
  readonly output?: readonly string[]
}

function observed({ end = SUCCESS, output = [], tasks = [task()], ...facts }: Case = {}): ObservedRun {
  return {
    end,
    output,
    took: 5,
    facts: {
      rejectedWebhooks: [],
      places: [],
      orders: [],
      tasks,
      requests: 4,
      cost: tasks.reduce((sum, { cost }) => sum + cost, 0),
      findings: [],
      acceptedForgeries: 0,
      applied: ['first'],
      timeline: [],
      lasted: 1_000,
      ...facts,
    },
  }
}

const PLANNED = { place: 'tasks.create#1', word: 'lost', delays: 0 }

/** Judges a run with a deviation of a class; a changes of the task if the class is given as such. */
function judged(kind: DeviationClass, run: Case, baseline: Case = {}, changes?: { output: null }) {
  const armed = { id: 'first', place: 'tasks.create#1', changes }
  const spec = {
    id: 'tasks.create#1:lost',
    deviations: [{ ...PLANNED, class: kind, armed }],
    orders: [],
    ignoresInput: false,
    patience: 1_000,
  }
  return judge({ spec, run: observed(run), baseline: observed(baseline) })
}

describe('a client', () => {
  it.each<[string, string, DeviationClass, Case, Case?]>([
    ['crashed', 'ends by a signal', 'transient', { end: { type: 'crash', message: 'SIGSEGV' } }],
    [
      'crashed',
      'crashes after a second order',
      'permanent',
      { end: { type: 'crash', message: '' }, tasks: [task(), again()] },
    ],
    ['hung', 'does not end', 'permanent', { end: { type: 'hang', message: '' } }],
    ['paid_twice', 'orders again after a lost answer', 'transient', { tasks: [task(ORPHAN), again()] }],
    [
      'paid_twice',
      'orders again and reports failure',
      'transient',
      { end: FAILURE, tasks: [task(), again()] },
    ],
    ['paid_twice', 'orders again because the task is slow', 'either', { tasks: [task(UNSEEN), again()] }],
    [
      'paid_twice',
      'orders the same of two equal tasks again',
      'transient',
      { tasks: [task(ORPHAN), again(), task()] },
      { tasks: [task(), task()] },
    ],
    [
      'paid_twice',
      'orders again with another input',
      'transient',
      { tasks: [task(UNSEEN), again({ order: 'b' })] },
    ],
    [
      'recovered',
      'orders again after the task was rejected for good',
      'permanent',
      { tasks: [task({ ...UNSEEN, isGivenUp: true }), again()] },
    ],
    ['recovered', 'orders again after the task failed', 'permanent', { tasks: [task(FAILED), again()] }],
    [
      'recovered',
      'has canceled the first task before it orders again',
      'either',
      { tasks: [task({ ...FAILED, status: 'canceled' }), again()] },
    ],
    [
      'recovered',
      'could not cancel a task in time',
      'transient',
      { tasks: [task()] },
      { tasks: [task({ ...FAILED, status: 'canceled' })] },
    ],
    [
      'recovered',
      'cancels the task that it did not need, and that had ended before in the baseline',
      'transient',
      { tasks: [task(), task(CANCELED)] },
      { tasks: [task(), task({ order: CANCELED.order, isCanceled: true })] },
    ],
    [
      'recovered',
      'cancels the other of two tasks, because the first ends later',
      'transient',
      { tasks: [task({ ...CANCELED, order: 'a lighthouse' }), task({ order: CANCELED.order })] },
      { tasks: [task(), task(CANCELED)] },
    ],
    [
      'wrong_result',
      'cancels the task that it waits for, and reports success',
      'either',
      { tasks: [task({ ...CANCELED, order: 'a lighthouse' })] },
    ],
    [
      'accepted_forgery',
      'takes a forged webhook for a result',
      'forgery',
      { acceptedForgeries: 1, tasks: [task({ isLearned: false })] },
    ],
    ['accepted_forgery', 'accepts a forged webhook, and polls', 'forgery', { acceptedForgeries: 1 }],
    ['recovered', 'rejects a forged webhook and gets the genuine one', 'forgery', {}],
    ['lost_result', 'swallows the loss of a result', 'transient', { tasks: [task(UNSEEN)] }],
    [
      'lost_result',
      'swallows a rejected poll',
      'permanent',
      { tasks: [task({ ...UNSEEN, isGivenUp: true })] },
    ],
    [
      'lost_result',
      'learns one result of two',
      'transient',
      { tasks: [task(), task(UNSEEN)] },
      { tasks: [task(), task()] },
    ],
    ['lost_result', 'has not the whole file', 'transient', { tasks: [task({ files: [] })] }],
    [
      'lost_result',
      'has one file of two',
      'transient',
      { tasks: [task({ available: 2 })] },
      { tasks: [task({ available: 2, files: [0, 1] })] },
    ],
    [
      'lost_result',
      'leaves an orphan and reports failure',
      'transient',
      { end: FAILURE, tasks: [task(ORPHAN)] },
    ],
    [
      'recovered',
      'downloads one file of two, as in the baseline',
      'transient',
      { tasks: [task({ available: 2 })] },
      { tasks: [task({ available: 2 })] },
    ],
    [
      'recovered',
      'gets fewer files, because the task has fewer',
      'either',
      { tasks: [task({ available: 0, files: [] })] },
    ],
    [
      'reported',
      'leaves an orphan that the service shows to nobody',
      'transient',
      { end: FAILURE, tasks: [task({ ...ORPHAN, waysToFind: [] })] },
    ],
    [
      'reported',
      'leaves an orphan that only a webhook would show, which it has not registered',
      'transient',
      {
        end: FAILURE,
        tasks: [task({ ...ORPHAN, waysToFind: ['possible_webhook'] })],
      },
    ],
    [
      'lost_result',
      'leaves an orphan that its webhook shows',
      'transient',
      { end: FAILURE, tasks: [task({ ...ORPHAN, waysToFind: ['webhook'] })] },
    ],
    [
      'paid_twice',
      'orders again where only a webhook would show the first task',
      'transient',
      { tasks: [task({ ...ORPHAN, waysToFind: ['possible_webhook'] }), again()] },
    ],
    ['wrong_result', 'swallows a rejected order', 'permanent', { tasks: [] }],
    [
      'wrong_result',
      'swallows the rejection of one order of two',
      'permanent',
      { tasks: [task()] },
      { tasks: [task(), task({ order: 'b' })] },
    ],
    ['wrong_result', 'swallows the failure of a task', 'permanent', { tasks: [task(FAILED)] }],
    [
      'wrong_result',
      'swallows a stuck task',
      'permanent',
      { tasks: [task({ ...UNSEEN, status: 'processing', cost: 0 })] },
    ],
    [
      'wrong_result',
      'never learns results, and loses an order',
      'transient',
      { tasks: [] },
      { tasks: [task(UNSEEN)] },
    ],
    [
      'recovered',
      'has the one result that it also has in the baseline, with one task less',
      'transient',
      {},
      { tasks: [task(UNSEEN), task()] },
    ],
    ['recovered', 'never learns results', 'permanent', { tasks: [task(FAILED)] }, { tasks: [task(UNSEEN)] }],
    [
      'finding',
      'makes another mistake and reports success',
      'transient',
      { findings: [finding('result-never-learned')] },
    ],
    [
      'finding',
      'gives up after one poll',
      'transient',
      { end: FAILURE, findings: [finding('gives-up-after-failed-poll')] },
    ],
    [
      'recovered',
      'makes the mistake of the baseline',
      'transient',
      { findings: [finding('polls-too-fast')] },
      { findings: [finding('polls-too-fast')] },
    ],
    ['recovered', 'gets a warning', 'transient', { findings: [finding('hot-linked', 'warning')] }],
    [
      'gave_up',
      'reports a failure that explains what it did not learn',
      'transient',
      {
        end: FAILURE,
        tasks: [task(UNSEEN)],
        findings: [finding('result-never-learned'), finding('relies-on-webhook-alone')],
      },
    ],
    ['reported', 'fails before anything goes wrong', 'transient', { end: FAILURE, applied: [] }],
    ['gave_up', 'reports the rejection of a forgery', 'forgery', { end: FAILURE, tasks: [task(UNSEEN)] }],
    [
      'reported',
      'reports an outage without end',
      'permanent',
      { end: FAILURE, tasks: [task(UNSEEN)], findings: [finding('gives-up-after-failed-poll')] },
    ],
    ['reported', 'reports a rejected order', 'permanent', { end: FAILURE, tasks: [] }],
    ['reported', 'reports what it may report', 'either', { end: FAILURE, tasks: [] }],
    ['recovered', 'has the expected result', 'permanent', {}],
  ])('has the result %s if it %s', (result, _, kind, run, baseline) => {
    expect(judged(kind, run, baseline).result).toBe(result)
  })
})

it('a harmless change of a task leaves the expected result, and a lost output does not', () => {
  const changed = { tasks: [task({ isLearned: false })] }
  expect(judged('either', changed, {}, { output: null }).result).toBe('recovered')
  expect(judged('permanent', changed, {}, { output: null }).result).toBe('wrong_result')
  expect(judged('either', changed).result).toBe('lost_result')
})

describe('a client that reports failure', () => {
  const resultAt = (place: string, armed: Partial<ArmedDeviation>, facts: Partial<TaskFacts>) =>
    judge({
      spec: {
        id: `${place}:one`,
        deviations: [{ ...PLANNED, place, class: 'either', armed: { id: 'first', place, ...armed } }],
        orders: [],
        ignoresInput: false,
        patience: 1_000,
      },
      run: observed({ end: FAILURE, tasks: [task(facts)], findings: [finding('result-never-learned')] }),
      baseline: observed(),
    }).result

  it('because a URL has expired reports it: a client that downloads at once never meets it', () => {
    expect(resultAt('file#1.0', { repeats: 'until_renewed' }, { files: [] })).toBe('reported')
  })

  it('because a task takes long makes a mistake if it leaves it running, and could have canceled it', () => {
    const left = { ...UNSEEN, isLeftRunning: true }
    expect(resultAt('task#1', {}, left)).toBe('finding')
    expect(resultAt('task#1', {}, UNSEEN)).toBe('reported')
    expect(resultAt('task#2', {}, left)).toBe('reported')
  })
})

it('an accepted forgery is a warning if nothing else differs from the baseline', () => {
  const { severity, ok } = judged('forgery', { acceptedForgeries: 1 })
  expect([severity, ok]).toEqual(['warning', false])
  const used = { acceptedForgeries: 1, tasks: [task({ isLearned: false })] }
  expect(judged('forgery', used).severity).toBe('error')
  const downloaded = { acceptedForgeries: 1, tasks: [task({ isConfirmed: false })] }
  expect(judged('forgery', downloaded).severity).toBe('error')
})

describe('a client that reports a lost task after a second rejection, for good', () => {
  const first = { ...PLANNED, class: 'transient', armed: { id: 'first', place: 'tasks.create#1' } } as const
  const specWith = (place: string) => {
    const second = {
      place,
      word: '403',
      delays: 0,
      class: 'permanent',
      armed: { id: 'second', place },
    } as const
    return { id: 'a+b', deviations: [first, second], orders: [], ignoresInput: false, patience: 1 }
  }
  const facts = { tasks: [task(ORPHAN)], applied: ['first', 'second'], findings: [finding('orphans-task')] }
  const resultOf = (place: string, end: RunEnd = SUCCESS) =>
    judge({ spec: specWith(place), run: observed({ ...facts, end }), baseline: observed() }).result

  it('is right if the rejected request was its search for the task', () => {
    expect(resultOf('tasks.list', FAILURE)).toBe('reported')
    expect(resultOf('tasks.list')).toBe('lost_result')
  })

  it('has lost the task if the rejected request was another order', () => {
    expect(resultOf("tasks.create#1'2", FAILURE)).toBe('lost_result')
  })
})

it('lines that the baseline has printed as well do not count, whatever their ids, times, URLs and numbers', () => {
  const line = (id: string, port: number) =>
    `2026-01-01T00:00:0${port}Z ${id}: http://127.0.0.1:401${port}/files/a.png took ${port} ms`
  const output = [
    line('task_9', 2),
    '\u001b[32mcharged alice 0.04\u001b[39m',
    'charged alice 0.08',
    'try again',
  ]
  const { printed } = judged('transient', { output }, { output: [line('task_1', 1), 'charged alice 0.04'] })
  expect(printed).toEqual(['charged alice 0.08', 'try again'])
})

it('the sentence says what was done, what the client sent after it, when, and how it ended', () => {
  const timeline = [
    { at: 0, text: 'POST /v1/tasks -> no answer (task_1)', isDeviating: true },
    { at: 1_000, text: 'POST /v1/tasks -> 200 processing (task_2)', isDeviating: false },
    { at: 3_500, text: 'GET /v1/tasks/task_2 -> 200 succeeded', isDeviating: false },
  ]
  const { what } = judged('transient', { timeline, end: FAILURE, tasks: [task(ORPHAN), again()] })
  expect(what).toBe(
    "At tasks.create#1 the answer is lost: POST /v1/tasks -> no answer (#1). Then, 1 s later POST /v1/tasks -> 200 processing (#1'2); 3.5 s later GET /v1/tasks/#1'2 -> 200 succeeded. The client reported failure with status 1: The generation failed.",
  )
})

describe('a client that reports failure because it does not know whether its create request was executed', () => {
  const spec = (fault: Fault, place: string) => ({
    id: `${place}:one`,
    deviations: [{ ...PLANNED, place, class: 'transient' as const, armed: { id: 'first', place, fault } }],
    orders: [],
    ignoresInput: false,
    patience: 1_000,
  })
  const resultOf = (fault: Fault, waysToFind: TaskFacts['waysToFind'], place = 'tasks.create#1') =>
    judge({
      spec: spec(fault, place),
      run: observed({ end: FAILURE, tasks: [] }),
      baseline: observed({ tasks: [task({ waysToFind })] }),
    }).result

  it('is right where the service offers no way to look for it', () => {
    expect(resultOf({ reset: 'before' }, [])).toBe('reported')
    expect(resultOf({ status: 502 }, ['possible_webhook'])).toBe('reported')
  })

  it('is right after a 503 as well, which a gateway may send for a request that it has passed on', () => {
    expect(resultOf({ status: 503 }, [])).toBe('reported')
    expect(resultOf({ status: 503 }, [], 'service@tasks.create#1')).toBe('reported')
    expect(resultOf({ status: 503 }, [], 'service@tasks.retrieve#1.processing')).toBe('gave_up')
  })

  it('gives up where it could look, or where a rate limit says that nothing was executed', () => {
    expect(resultOf({ reset: 'before' }, ['list'])).toBe('gave_up')
    expect(resultOf({ reset: 'before' }, ['webhook', 'list'])).toBe('gave_up')
    expect(resultOf({ status: 503 }, ['list'])).toBe('gave_up')
    expect(resultOf({ status: 429 }, [])).toBe('gave_up')
  })
})
