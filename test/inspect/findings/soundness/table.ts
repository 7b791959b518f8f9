import type { ScenarioInput } from '../../../../src/index.js'
import type { FindingId } from '../../../../src/inspect/findings/ids.js'
import { SHIPPED_NAMES } from '../../../../src/scenario/shipped.js'
import type { Habits } from './client.js'
import type { Cell, Pace } from './places.js'

export const DIALECTS = ['tasks', 'replicate', 'luma', 'fal', 'runway', 'runpod'] as const
type DialectName = (typeof DIALECTS)[number]

/** The shipped scenarios in which tasks can end. */
const SCENARIOS = SHIPPED_NAMES.filter((name) => name !== 'stuck')
/** At the speed of real time, only the short ones. */
const SHORT = ['default', 'instant']
const FAST: readonly Pace[] = [10, 60, 1000]

/** Clients without a mistake. */
export const CORRECT: Readonly<Record<string, Partial<Habits>>> = {
  'polls a task': {},
  'waits for a webhook, and polls if it does not come': { waitsForWebhook: true },
  'runs three tasks at once': { tasks: 3 },
  'cancels a task at its deadline': { deadline: 3_000 },
  'waits for a webhook, and cancels if it does not come': { cancelsUnannounced: true },
  'orders a second task with the output of the first': { passesOn: true },
}

/** A client with one mistake. */
export interface Mistake {
  readonly habits: Partial<Habits>
  /** A scenario in which the mistake can be seen, where the service and the speed allow it. */
  readonly provoked: ScenarioInput
  /** The dialects whose clients can make it; all by default. */
  readonly dialects?: readonly DialectName[]
  /** The paces at which the scenario provokes it; all by default. */
  readonly paces?: readonly Pace[]
  /** The paces at which a test can wait for the client to make it; all by default. */
  readonly made?: readonly Pace[]
  /** Whether the test ends with the client, while tasks may still run. */
  readonly endsWithClient?: boolean
  /** Whether it is about downloads: over HTTP, Replicate's answers contain the files. */
  readonly isAboutFiles?: boolean
  /** Other findings that the mistake may cause. */
  readonly also?: readonly FindingId[]
}

const SIGNING: readonly DialectName[] = ['tasks', 'replicate', 'fal']
const HOOKED: readonly DialectName[] = ['tasks', 'replicate', 'luma', 'fal', 'runpod']
const MANUAL: readonly Pace[] = ['manual']

/** A client that reports a lost create answer at once, or whose receiver fails, leaves its task. */
const LOSES: readonly FindingId[] = ['orphans-task']

const withWebhookFault = (
  then: NonNullable<NonNullable<ScenarioInput['webhooks']>['faults']>[number]['then'],
) => ({
  webhooks: { faults: [{ then }] },
})

/** No dialect of the table has an API that has ended. */
type Provoked = Exclude<FindingId, 'uses-ended-api'>

const MISTAKES: Readonly<Record<Provoked, Mistake>> = {
  'pays-twice': { habits: { afterLoss: 'retries' }, provoked: { extends: 'lost-create-response' } },
  'orphans-task': {
    habits: { afterLoss: 'throws', hasWebhook: false },
    provoked: { extends: 'lost-create-response' },
    // Without a webhook, nothing shows the tasks of other services.
    dialects: ['tasks', 'replicate', 'luma'],
  },
  'unknown-fields': { habits: { extraFields: { webhookUrl: 'x' } }, provoked: {}, dialects: ['tasks'] },
  'polls-too-fast': {
    // Several at once, because a busy machine may need as long for one as a correct client waits.
    habits: { interval: 10, pollsAtOnce: 6 },
    also: ['polls-after-end', 'ignores-retry-after'],
    provoked: { rules: [{ then: { delay: '10s' } }] },
    // Faster, a busy machine lets the task end after a few polls.
    paces: [1, 'manual'],
  },
  'polls-after-end': { habits: { pollsAfterEnd: 4 }, provoked: {}, paces: [1, 10, 'manual'] },
  'polls-without-end': {
    habits: { deadline: 2 * 3_600_000, interval: 60_000 },
    provoked: { rules: [{ then: { outcome: 'stuck' } }] },
    paces: MANUAL,
  },
  'gives-up-after-failed-poll': {
    habits: { pollTries: 1, hasWebhook: false },
    provoked: { faults: [{ when: { operation: 'tasks.retrieve' }, then: 503 }] },
  },
  'stops-at-unknown-status': {
    habits: { stopsAtUnknownStatus: true, hasWebhook: false },
    provoked: {
      faults: [{ when: { operation: 'tasks.retrieve' }, then: { patch: { status: 'on_hold' } } }],
    },
    dialects: ['tasks', 'replicate', 'fal', 'runway', 'runpod'],
    isAboutFiles: true,
  },
  'result-never-learned': {
    habits: { forgets: true, hasWebhook: false, afterLoss: 'throws' },
    provoked: {},
    also: LOSES,
  },
  'result-never-fetched': {
    habits: { fetchesResult: false, hasWebhook: false },
    provoked: {},
    dialects: ['fal'],
  },
  'takes-unfinished-for-result': {
    habits: { holds: true, hasWebhook: false },
    provoked: { rules: [{ then: { outcome: 'stuck' } }] },
    dialects: ['replicate'],
    also: ['result-never-learned', 'output-never-downloaded'],
  },
  'output-never-downloaded': { habits: { downloads: 0 }, provoked: {}, isAboutFiles: true },
  'downloads-some-outputs': {
    habits: { firstFileOnly: true, extraFields: { num_images: 2 } },
    provoked: {},
    dialects: ['fal'],
  },
  'fetched-after-expiry': {
    habits: { storesUrlFor: 2 * 86_400_000 },
    provoked: {},
    paces: MANUAL,
    made: MANUAL,
  },
  'url-altered': { habits: { altersUrl: true }, provoked: {}, isAboutFiles: true },
  'hot-linked': { habits: { downloads: 7 }, provoked: {}, isAboutFiles: true },
  'keeps-output-url': { habits: { keepsUrl: true }, provoked: {} },
  'key-sent-to-file-host': { habits: { sendsKeyToFiles: true }, provoked: {}, isAboutFiles: true },
  'key-missing': { habits: { firstWithoutKey: true }, provoked: {} },
  'ignores-retry-after': {
    habits: { honorsRetryAfter: false },
    provoked: {
      faults: [{ when: { operation: 'tasks.retrieve', nth: 1 }, then: { status: 429, retry_after: '10s' } }],
    },
    paces: [1, 'manual'],
  },
  'retries-rejected': {
    habits: { retriesRejected: true },
    provoked: { faults: [{ when: { operation: 'tasks.create' }, then: 402 }] },
    paces: [1, 10, 'manual'],
  },
  'list-not-followed': {
    habits: { firstPageOnly: true, tasks: 2 },
    provoked: {},
    dialects: ['tasks', 'replicate', 'luma'],
  },
  'mixed-path-forms': { habits: { otherPath: '/v1/task' }, provoked: {}, dialects: ['tasks'] },
  'accepts-forged-webhook': {
    habits: { accepts: 'anything', waitsForWebhook: true },
    provoked: { extends: 'webhook-forgery' },
    dialects: SIGNING,
  },
  'accepts-old-secret': {
    habits: { accepts: 'old_secret' },
    provoked: withWebhookFault('previous_secret'),
    dialects: SIGNING,
  },
  'accepts-old-timestamp': {
    habits: { accepts: 'anything' },
    provoked: withWebhookFault('old_timestamp'),
    dialects: ['replicate', 'fal'],
    also: ['accepts-forged-webhook'],
  },
  'fails-on-bad-signature': {
    habits: { failsOnForm: true },
    provoked: withWebhookFault('malformed_signature'),
    dialects: SIGNING,
  },
  'rejects-reformatted-webhook': {
    habits: { verifiesParsed: true },
    provoked: withWebhookFault('spaced'),
    dialects: SIGNING,
  },
  'slow-webhook': {
    habits: { webhookAnswer: { status: 204, after: 5_500 } },
    provoked: {},
    dialects: HOOKED,
    paces: [1],
    made: [1, ...FAST],
  },
  'redirects-webhook': {
    habits: { webhookAnswer: { status: 308, after: 0 } },
    provoked: {},
    dialects: HOOKED,
    also: LOSES,
  },
  'relies-on-webhook-alone': {
    habits: { pollsWebhookOnly: true },
    provoked: withWebhookFault('lost'),
    dialects: HOOKED,
    also: ['output-never-downloaded'],
  },
  'processes-webhook-twice': {
    habits: { countsEachWebhook: true },
    provoked: withWebhookFault('duplicate'),
    dialects: HOOKED,
  },
}

/** Further clients with mistakes. */
const MORE_MISTAKES: readonly (readonly [string, FindingId, Mistake])[] = [
  [
    'that polls for hours although each poll fails',
    'polls-without-end',
    {
      habits: { pollTries: 400, hasWebhook: false },
      provoked: { faults: [{ when: { operation: 'tasks.retrieve' }, then: 503 }] },
      paces: MANUAL,
      made: MANUAL,
    },
  ],
  [
    'that repeats a download for hours',
    'polls-without-end',
    {
      habits: { downloadTries: 40, hasWebhook: false },
      provoked: {
        rules: [{ then: { delay: '2s' } }],
        findings: { thresholds: { longest_wait: '20s' } },
        faults: [{ when: { operation: 'files.download' }, then: 503 }],
      },
      paces: [1, 'manual'],
      isAboutFiles: true,
    },
  ],
  [
    'that repeats a download at once',
    'ignores-retry-after',
    {
      habits: { honorsRetryAfter: false },
      provoked: {
        faults: [
          { when: { operation: 'files.download', nth: 1 }, then: { status: 503, retry_after: '10s' } },
        ],
      },
      paces: [1, 'manual'],
      isAboutFiles: true,
    },
  ],
  [
    'that leaves while its task runs',
    'result-never-learned',
    {
      habits: { forgets: true, hasWebhook: false, afterLoss: 'throws' },
      provoked: { defaults: { delay: '1h' } },
      endsWithClient: true,
      also: LOSES,
    },
  ],
  [
    'that ignores the rejection of a late cancel',
    'relies-on-webhook-alone',
    {
      habits: { cancelsUnannounced: true, readsAfterLateCancel: false },
      provoked: withWebhookFault('lost'),
      dialects: ['tasks', 'fal'],
      also: ['result-never-learned', 'output-never-downloaded'],
    },
  ],
]

/** All clients with a mistake: their titles, the findings, and what they do. */
export const MISTAKEN: readonly (readonly [string, FindingId, Mistake])[] = [
  ...Object.entries(MISTAKES).map(([id, mistake]) => [id, id as FindingId, mistake] as const),
  ...MORE_MISTAKES.map(([title, id, mistake]) => [`${id} of one ${title}`, id, mistake] as const),
]

/** A scenario with its name, for titles. */
export interface NamedCell extends Cell {
  readonly title: string
}

function cell(
  dialect: string,
  pace: Pace,
  name: string,
  scenario: ScenarioInput = { extends: name },
  endsWithClient = false,
): NamedCell {
  return {
    endsWithClient,
    dialect,
    pace,
    scenario,
    title: `${dialect}, ${pace === 'manual' ? 'manual' : `x${pace}`}, ${name}`,
  }
}

/** All cells: each pace with each scenario whose tasks can end at that pace. */
export function cellsOf(dialects: readonly string[], endsWithClient = false): NamedCell[] {
  const cellWith = (dialect: string, pace: Pace, name: string) =>
    cell(dialect, pace, name, { extends: name }, endsWithClient)
  return dialects.flatMap((dialect) => [
    ...SHORT.map((name) => cellWith(dialect, 1, name)),
    ...[...FAST, 'manual' as const].flatMap((pace) => SCENARIOS.map((name) => cellWith(dialect, pace, name))),
  ])
}

/** The cells in which a mistake must be found. */
export function provokedCells(mistake: Mistake): NamedCell[] {
  const {
    provoked,
    dialects = DIALECTS,
    paces = [1, ...FAST, 'manual'],
    isAboutFiles = false,
    endsWithClient,
  } = mistake
  return dialects.flatMap((dialect) =>
    paces
      .filter((pace) => pace === 'manual' || dialect !== 'replicate' || !isAboutFiles)
      .map((pace) => cell(dialect, pace, 'provoked', { extends: 'default', ...provoked }, endsWithClient)),
  )
}
