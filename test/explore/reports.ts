import type { ExplorationReport, ReportedRun } from '../../src/explore/report.js'

/** A run that is right, unless its fields say otherwise. */
export function reportedRun(id: string, fields: Partial<ReportedRun> = {}): ReportedRun {
  const [place = '', deviation = ''] = [id.slice(0, id.lastIndexOf(':')), id.slice(id.lastIndexOf(':') + 1)]
  return {
    id,
    place: place.split(':')[0] === 'webhook' ? place : place.replace(/:.*/, ''),
    operation: place.replace(/[#:].*/, ''),
    deviation,
    class: 'transient',
    result: 'recovered',
    ok: true,
    severity: 'ok',
    status: 0,
    tasks: 1,
    cost_usd: 0.04,
    findings: [],
    ms: 840,
    what: 'The client reported success.',
    printed: [],
    timeline: [{ at: 1_500, text: 'POST /v1/tasks -> 503', place: 'tasks.create#1', isDeviating: true }],
    ...fields,
  }
}

const wrong = (result: ReportedRun['result'], severity: 'error' | 'warning' = 'error') => ({
  result,
  severity,
  ok: false,
})

/** Runs of each sort. */
export const RUNS: readonly ReportedRun[] = [
  reportedRun('tasks.create#1:503'),
  reportedRun('tasks.create#1:lost', {
    ...wrong('paid_twice'),
    what: 'At tasks.create#1 the answer is lost: POST /v1/tasks -> no answer. Then, 1 s later POST /v1/tasks -> 200. The client reported success.',
    printed: ['charged <alice> & co'],
  }),
  reportedRun('tasks.create#1:cut', wrong('paid_twice')),
  reportedRun('tasks.create#1:401', { result: 'reported', class: 'permanent', status: 1 }),
  reportedRun('tasks.retrieve#1.processing:503', wrong('gave_up', 'warning')),
  reportedRun('tasks.retrieve#1.processing:hang', wrong('hung')),
  reportedRun('tasks.retrieve#1.succeeded:503', {
    ...wrong('finding'),
    findings: ['gives-up-after-failed-poll'],
  }),
  reportedRun('webhook:task.succeeded#1:lost', { result: 'gave_up', because: 'Our jobs run again.' }),
  reportedRun('file#1.0:cut', wrong('lost_result')),
  reportedRun("tasks.create#1:503+tasks.create#1'2:lost", wrong('paid_twice')),
]

/** A report about {@link RUNS}. */
export function reportOf(fields: Partial<ExplorationReport> = {}): ExplorationReport {
  return {
    version: 1,
    command: ['node', 'client.js'],
    seed: '1',
    dialect: 'tasks',
    baseline: { status: 0, requests: 12, tasks: 1, cost_usd: 0.04, places: 5 },
    remarks: [],
    runs: RUNS,
    problems: [],
    left_out: { max_runs: 0, budget: 0, runs: [] },
    accepted: [],
    summary: { runs: RUNS.length, ok: 3, errors: 6, warnings: 1 },
    ...fields,
  }
}
