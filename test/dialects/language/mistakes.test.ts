import { describe, expect, it } from 'vitest'
import { looksLikeDialect, parseDialect } from '../../../src/dialects/language/parse-dialect.js'
import type { ScenarioError } from '../../../src/scenario/check/mistake.js'

const LINES = [
  'name: acme',
  'title: Acme',
  'ids: { prefix: job_, characters: base62 }',
  'statuses:',
  '  queued: waiting',
  '  processing: running',
  '  succeeded: done',
  '  failed: broken',
  '  canceled: stopped',
  'task: { id: "{{id}}", state: "{{status}}" }',
  'error: { body: { message: "{{message}}" } }',
  'operations:',
  '  POST /jobs: { action: create }',
  '  GET /jobs/{task_id}: retrieve',
]

/** The mistakes in the file after a line was replaced. */
function mistakesWith(line: string, replacement: string): string[] {
  const text = LINES.map((each) => (each === line ? replacement : each)).join('\n')
  try {
    parseDialect(text, 'acme.yaml')
    return []
  } catch (error) {
    return (error as ScenarioError).message.split('\n')
  }
}

const TASK = 'task: { id: "{{id}}", state: "{{status}}" }'
const LATE = '{ if: "{{is_expired}}", message: Late. }'
const GET = '  GET /jobs/{task_id}: retrieve'

describe('a dialect file', () => {
  it('is read with its shorthands written out', () => {
    expect(parseDialect(LINES.join('\n'))).toMatchObject({
      name: 'acme',
      statuses: { queued: { word: 'waiting' } },
      operations: [
        { method: 'POST', path: '/jobs', action: 'create' },
        { method: 'GET', path: '/jobs/{task_id}', action: 'retrieve' },
      ],
    })
  })

  it.each([
    [
      'an unknown field',
      'title: Acme',
      'titel: Acme',
      'acme.yaml:2:1: titel: unknown field `titel`; did you mean `title`?',
    ],
    ['a missing field', 'title: Acme', '', 'acme.yaml:1:1: title: is missing; expected text'],
    [
      'an unknown value',
      TASK,
      'task: { id: "{{idd}}" }',
      'acme.yaml:10:13: task.id: got "{{idd}}"; unknown value `idd`; did you mean `id`?',
    ],
    [
      'a value of another place',
      TASK,
      'task: { id: "{{event}}" }',
      'acme.yaml:10:13: task.id: got "{{event}}"; unknown value `event`; it is available in `webhook.body` and `webhook.headers`',
    ],
    ['the task in itself', TASK, 'task: { id: "{{task}}" }', 'it is available in the `answer` about a task'],
    [
      'a value that resembles no other',
      TASK,
      'task: { id: "{{user}}" }',
      'unknown value `user`; expected `id`,',
    ],
    [
      'an invalid placeholder in a text that is not a template',
      '  queued: waiting',
      '  queued: "{{id | map}}"',
      'acme.yaml:5:11: statuses.queued: after the filter `map`, expected `from` `to`; got nothing; write this text without `{{`',
    ],
    [
      'no operation that creates tasks',
      '  POST /jobs: { action: create }',
      '  GET /jobs: { action: list, answer: { data: "{{tasks}}" } }',
      'no operation creates tasks; add one such as `POST /jobs: { action: create }`',
    ],
    [
      'an action that is not a word',
      '  POST /jobs: { action: create }',
      '  POST /jobs: { action: { toString: 1 } }',
      'acme.yaml:13:25: operations["POST /jobs"].action: got {"toString":1}; unknown action; expected `create`',
    ],
    [
      'a long name of a field',
      'title: Acme',
      `${'x'.repeat(1_000)}: Acme`,
      `acme.yaml:2:1: ["${'x'.repeat(80)}…"]: unknown field \`${'x'.repeat(80)}…\``,
    ],
    [
      'an unknown filter',
      TASK,
      'task: { id: "{{id | unixx}}" }',
      'unknown filter `unixx`; did you mean `unix`?',
    ],
    [
      'a text as the factor of a filter',
      TASK,
      'task: { id: "{{cost | times abc}}" }',
      'acme.yaml:10:13: task.id: got "{{cost | times abc}}"; after the filter `times`, expected a number such as 1000 or 0.5 as `factor`; got `abc`',
    ],
    [
      'a wrong size among those of a filter',
      TASK,
      'task: { id: "{{input.size | nearest 1280x720 wide}}" }',
      'expected a size such as 1280x720 as `size`; got `wide`',
    ],
    [
      'a filter that needs fields',
      TASK,
      'task: { id: "{{input | without}}" }',
      'after the filter `without`, expected one or more `field`; got nothing',
    ],
    [
      'two arguments of a filter that takes one',
      TASK,
      'task: { id: "{{cost | at_most 1 2}}" }',
      'after the filter `at_most`, expected `limit`; got `1` `2`',
    ],
    [
      'a rejection after one that applies to the same requests',
      GET,
      `  GET /jobs/{task_id}: { action: retrieve, reject: [${LATE}, { if: "{{query.a}}", message: A. }, { if: ["{{query.b}}", "{{is_expired}}"], message: B. }] }`,
      'acme.yaml:14:131: operations["GET /jobs/{task_id}"].reject[2]: got {"if":["{{query.b}}","{{is_expired}}"],"message":"B."}; never applies, because all conditions of `reject[0]` are among its own: move it before that entry, or remove it',
    ],
    [
      'a misspelled action',
      GET,
      '  GET /jobs/{task_id}: { actoin: retrieve }',
      'acme.yaml:14:26: operations["GET /jobs/{task_id}"].actoin: unknown field `actoin`; did you mean `action`?',
    ],
    [
      'the name of no header',
      GET,
      `${GET}\nwebhook: { url: "{{body.url}}", events: {}, headers: { "X-{{id}}": a, "X Y": b } }`,
      'acme.yaml:15:71: webhook.headers["X Y"]: expected the name of a header, such as Authorization',
    ],
    [
      'a header of the connection',
      GET,
      `${GET}\nwebhook: { url: "{{body.url}}", events: {}, headers: { Proxy-Authorization: a } }`,
      'acme.yaml:15:56: webhook.headers["Proxy-Authorization"]: tasksim sets this header: choose another one',
    ],
    [
      'a header of the connection in every answer',
      TASK,
      `${TASK}\nheaders: { content-length: "{{id}}" }`,
      'acme.yaml:11:12: headers["content-length"]: tasksim sets this header',
    ],
    [
      'a line break in a Content-Type',
      'error: { body: { message: "{{message}}" } }',
      'error: { body: { message: "{{message}}" }, content_type: "a/b\\r\\nX: y" }',
      'acme.yaml:11:58: error.content_type: got "a/b\\r\\nX: y"; expected printable ASCII',
    ],
    ['an open placeholder', TASK, 'task: { id: "{{id" }', 'the placeholder `{{id` has no end; add `}}`'],
    [
      'a filter without its argument',
      TASK,
      'task: { id: "{{cost | times}}" }',
      'after the filter `times`, expected `factor`; got nothing',
    ],
    ['a mistake in the name of a field', TASK, 'task: { "{{idd}}": 1 }', 'acme.yaml:10:9'],
    [
      'an unknown action',
      GET,
      '  GET /jobs/{task_id}: { action: retrive }',
      'acme.yaml:14:34: operations["GET /jobs/{task_id}"].action: got "retrive"; unknown action; did you mean `retrieve`?',
    ],
    [
      'a field of another action',
      GET,
      '  GET /jobs/{task_id}: { action: retrieve, require: [a] }',
      'acme.yaml:14:44',
    ],
    [
      'a condition of a stream without events',
      GET,
      '  GET /jobs/{task_id}: { action: retrieve, stream_if: "{{query.stream}}" }',
      'acme.yaml:14:44: operations["GET /jobs/{task_id}"].stream_if: `stream_if` needs `events`; add them',
    ],
    [
      'a resumption without events',
      GET,
      '  GET /jobs/{task_id}: { action: retrieve, resume_after: "{{query.after}}" }',
      'acme.yaml:14:44: operations["GET /jobs/{task_id}"].resume_after: `resume_after` needs `events`; add them',
    ],
    [
      'events that answer no poll',
      GET,
      '  GET /jobs/{task_id}: { action: retrieve, events: { output: { data: "{{part}}" } } }',
      'acme.yaml:14:44: operations["GET /jobs/{task_id}"].events: `events` of `retrieve` need `stream_if`, which selects the requests for a stream',
    ],
    [
      'a resumption of a stream of the state',
      GET,
      `${GET}\n  GET /jobs/{task_id}/events: { action: stream, resume_after: "{{query.after}}", events: { queued: { data: "{{sequence}}" } } }`,
      'a stream with the events `queued` or `processing` cannot resume, because they depend on when the client connects; use `created` and `started`',
    ],
    [
      'a resumption of events without numbers',
      GET,
      `${GET}\n  GET /jobs/{task_id}/events: { action: stream, resume_after: "{{query.after}}", events: { output: { data: "{{part}}" } } }`,
      'a stream can only resume if its events contain `{{sequence}}`; add it',
    ],
    [
      'a path without the task',
      GET,
      '  GET /jobs: retrieve',
      'acme.yaml:14:3: operations["GET /jobs"]: the action `retrieve` needs the id of a task; add `{task_id}` to the path',
    ],
    [
      'two names of a parameter',
      GET,
      `${GET}\n  DELETE /jobs/{id}: { action: fixed, answer: {} }`,
      'acme.yaml:15:3: operations["DELETE /jobs/{id}"]: the path matches the same requests as `GET /jobs/{task_id}`; use the same names of parameters in both',
    ],
    [
      'a parameter after constant text',
      GET,
      '  GET /jobs/job-{task_id}: retrieve',
      'acme.yaml:14:3: operations["GET /jobs/job-{task_id}"]: `job-{task_id}` is not a segment of a path: expected constant text, `{name}`, `{name}:text` or `{name...}`',
    ],
    [
      'a wrong method',
      GET,
      '  FETCH /jobs/{task_id}: retrieve',
      'expected a method and a path, such as `GET /jobs/{task_id}`',
    ],
    [
      'a missing state',
      '  failed: broken',
      '',
      'statuses.failed: is missing; expected a word, or a mapping with a `word`',
    ],
    ['an unknown kind of ids', LINES[2] ?? '', 'ids: { characters: base-62 }', 'did you mean `base62`?'],
    ['a syntax error', 'title: Acme', 'title: [Acme', 'acme.yaml:'],
  ])('with %s names the place and the remedy', (_, line, replacement, expected) => {
    expect(mistakesWith(line, replacement).join('\n')).toContain(expected)
  })

  it('with a misspelled field that is required has one mistake', () => {
    expect(mistakesWith('  queued: waiting', '  queued: { wrod: waiting }')).toEqual([
      'acme.yaml:5:13: statuses.queued.wrod: unknown field `wrod`; did you mean `word`?',
    ])
    expect(mistakesWith('title: Acme', 'titel: Acme\nhots: [a]')).toEqual([
      'acme.yaml:2:1: titel: unknown field `titel`; did you mean `title`?',
      'acme.yaml:3:1: hots: unknown field `hots`; did you mean `hosts`?',
    ])
    expect(mistakesWith('title: Acme', 'titel: Acme\ntitlee: A')).toHaveLength(2)
  })

  it('reports a mistake below an anchor once, at its text', () => {
    const shared = [
      '  GET /jobs/{task_id}: &get',
      '    action: retrieve',
      '    answer: { id: "{{idd}}" }',
      '  GET /v1/jobs/{task_id}: *get',
      '  GET /v2/jobs/{task_id}: { <<: *get, status: 201 }',
      '  GET /v3/jobs/{task_id}: { <<: *get, status: 301 }',
    ]
    expect(mistakesWith(GET, shared.join('\n'))).toEqual([
      'acme.yaml:16:19: operations["GET /jobs/{task_id}"].answer.id: got "{{idd}}"; unknown value `idd`; did you mean `id`?',
      expect.stringContaining('acme.yaml:19:47: operations["GET /v3/jobs/{task_id}"].status: got 301'),
    ])
  })
})

it.each([
  ['name: acme\ntitle: Acme\nidz: {}\n', true],
  ['name: my scenario\ndefaults: { delay: 1s }\n', false],
  ['extends: default\n', false],
])('%j is a dialect file: %j', (text, expected) => {
  expect(looksLikeDialect(text)).toBe(expected)
})

it('a scenario in place of a dialect file is called one', () => {
  expect(() => parseDialect('extends: default')).toThrow('the file is a scenario, not a dialect')
})
