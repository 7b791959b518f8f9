import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { TaskShape } from '../../src/client/index.js'
import { curlOf, shellQuote } from '../../src/control/code/curl.js'
import type { EntryShape } from '../../src/control/shapes.js'
import { beginningOf, bodyText, lengthOf } from '../../src/dashboard/model/body-text.js'
import { changeIn, changesAbove } from '../../src/dashboard/model/changes.js'
import { neverAppliedIn, notApplicableIn, notObservedIn } from '../../src/dashboard/model/findings.js'
import { addressesIn, isActive, viewsOf } from '../../src/dashboard/model/recording.js'
import { formatRoute, parseRoute } from '../../src/dashboard/model/routes.js'
import { mistakesIn, shownText } from '../../src/dashboard/model/scenario.js'
import { describePlan, filesIn } from '../../src/dashboard/model/tasks/describe.js'
import type { FindingId } from '../../src/inspect/findings/ids.js'

const SCENARIOS = new URL('../../scenarios/', import.meta.url)
const NOW = Date.parse('2026-01-01T12:00:00Z')

function planned(plan: TaskShape['plan'], more: Partial<TaskShape> = {}): string {
  const task = { status: 'processing', held: false, plan, ...more } as TaskShape
  return describePlan(task, NOW)
}

describe('the description of a plan', () => {
  it('says how the task will end, when and why', () => {
    const error = { code: 'timeout', message: '' }
    expect(planned({ outcome: 'failed', ends_at: '2026-01-01T12:00:07Z', error, rule: 'bad luck' })).toBe(
      'The task will fail with timeout at 12:00:07, in 7 s, because of the rule “bad luck”.',
    )
    expect(planned({ outcome: 'succeeded', ends_at_poll: 3 })).toBe('The task will succeed at poll 3.')
    expect(planned({ outcome: 'stuck', rule: 'directive' })).toBe(
      'The task will never end, because of a directive in its request.',
    )
    expect(planned({ outcome: 'succeeded' }, { status: 'queued' })).toContain('leaves the queue')
  })

  it('says whether the task ended as planned', () => {
    const completed_at = '2026-01-01T12:00:00Z'
    expect(planned({ outcome: 'succeeded' }, { status: 'succeeded', completed_at })).toBe(
      'The task succeeded, as planned.',
    )
    expect(planned({ outcome: 'succeeded' }, { status: 'canceled', completed_at })).toBe(
      'The task was canceled. The plan was to succeed.',
    )
  })
})

describe('a command to paste', () => {
  it('quotes any prompt for the shell', () => {
    const prompt = `it's "$HOME" \`id\` \\ <b>`
    const said = execFileSync('sh', ['-c', `printf %s ${shellQuote(prompt)}`]).toString()
    expect(said).toBe(prompt)
  })

  it('passes every part of a request to curl unchanged', () => {
    const request = {
      method: 'PUT',
      url: "http://x/a'b?c=1&d=$(id)",
      headers: { 'X-Own': "it's $HOME" },
      body: { prompt: 'a "b" \n `id` $API_KEY', list: [1, { a: [] }] },
    }
    const script = `curl() { printf '%s\\0' "$@"; }\n${curlOf(request)}`
    const words = execFileSync('sh', ['-c', script]).toString().split('\0')
    expect(words.slice(0, -2)).toEqual(['-s', '-X', 'PUT', request.url, '-H', "X-Own: it's $HOME", '-d'])
    expect(JSON.parse(words.at(-2) ?? '')).toEqual(request.body)
  })

  it('gives no character of a URL or a body a meaning for curl', () => {
    expect(curlOf({ method: 'POST', url: 'http://x/[1-3]', headers: {}, text: '@/etc/hosts' })).toBe(
      "curl -s -g 'http://x/[1-3]' \\\n  --data-raw '@/etc/hosts'",
    )
  })

  it('leaves the key and the id to variables of the shell', () => {
    const headers = { Authorization: 'Bearer $API_KEY' }
    const command = curlOf({ method: 'GET', url: 'http://x/tasks/$ID', headers })
    expect(command).toBe('curl -s http://x/tasks/$ID -H "Authorization: Bearer $API_KEY"')
    expect(shellQuote('$API_KEY `id`')).toBe("'$API_KEY `id`'")
  })
})

it('a body is shown as indented JSON or as it is, and opens with whole lines', () => {
  expect(bodyText('{"a":[1]}')).toEqual({ text: '{\n  "a": [\n    1\n  ]\n}', isJson: true })
  expect(bodyText('<html>')).toEqual({ text: '<html>', isJson: false })
  const text = 'first line\nsecond line\nthird line'
  expect([beginningOf(text, 25), beginningOf(text, 100), beginningOf('A'.repeat(9), 4)]).toEqual([
    'first line\nsecond line',
    text,
    'AAAA',
  ])
  const image = { output: [`data:image/png;base64,${'A'.repeat(5_000)}`] }
  const whole = bodyText(image)
  expect(beginningOf(bodyText(image, 1_000).text, 1_000)).toBe(beginningOf(whole.text, 1_000))
  expect(lengthOf(image, 1_000)).toBeGreaterThan(1_000)
  expect(lengthOf(image) / whole.text.length).toBeCloseTo(1, 1)
  expect(lengthOf('plain')).toBe(5)
})

it('the page finds files anywhere in an output, and finds nothing else', () => {
  const url = (file: string) => `http://x/files/${file}?expires=1&signature=a`
  const output = {
    images: [url('task_a/0.png'), url('sb_1/task_a/1.png')],
    uuid: url('6f96fd8b-4d4b-4b0f-8e4b-422ad65b6238/0.png'),
    deep: { video: url('task_a/2.mp4'), other: url('task_b/0.png'), not: 'https://example.com/files/x.png' },
  }
  expect(filesIn(output, 'task_a').map(({ index, medium }) => [index, medium])).toEqual([
    [0, 'image'],
    [1, 'image'],
    [2, 'video'],
  ])
  expect(filesIn(output, '6f96fd8b-4d4b-4b0f-8e4b-422ad65b6238')).toHaveLength(1)
})

it('a route of the page can be written to the address bar and read back', () => {
  for (const route of [
    { view: 'tasks', id: undefined, sandbox: undefined, query: {} },
    { view: 'webhooks', id: 'a/b?c#d', sandbox: 'sb_1', query: {} },
    { view: 'requests', id: 'req_1', sandbox: 'sb_1', query: { status: '4xx', text: 'a & b=c #1' } },
  ] as const) {
    expect(parseRoute(formatRoute(route))).toEqual(route)
  }
  expect(parseRoute('#/nowhere')).toMatchObject({ view: 'tasks' })
  expect(parseRoute('#/tasks/%')).toMatchObject({ id: '%' })
})

it('the page finds the mistakes in an error', () => {
  expect(mistakesIn({ mistakes: [{ line: 1, path: '', message: 'no' }, 7] })).toHaveLength(1)
  expect(mistakesIn({})).toEqual([])
})

describe('a recording of a real service', () => {
  const recording = { upstream: 'https://api.example.com', file: 'recording.jsonl' }

  it('has no scenario, and no keys that change a simulation', () => {
    expect(viewsOf(undefined)).toContain('scenario')
    expect(viewsOf(recording)).toEqual(['tasks', 'requests', 'webhooks', 'findings'])
    const keys = ['p', '.', 'm', 'h', 'n', '5', '1', '4', 'd', '?', '/']
    expect(keys.filter((key) => isActive(key, recording))).toEqual(['1', '4', 'd', '?', '/'])
    expect(keys.every((key) => isActive(key, undefined))).toBe(true)
  })

  it('lists the addresses in an output once', () => {
    const [one, two] = ['https://cdn.example.com/1.png?sig=a', 'http://cdn.example.com/2.mp4']
    expect(addressesIn({ images: [one, { url: two }], cover: one, text: `see ${one}` })).toEqual([one, two])
  })

  it('groups rules that do not apply by the reason', () => {
    const rule = (id: FindingId, reason?: string) =>
      ({ id, title: '', state: reason === undefined ? 'ok' : 'not_applicable', reason }) as const
    expect(
      notApplicableIn([
        rule('url-altered', 'Unseen.'),
        rule('hot-linked'),
        rule('pays-twice', 'Other.'),
        rule('key-missing', 'Unseen.'),
      ]),
    ).toEqual([
      { text: 'Unseen.', ids: ['url-altered', 'key-missing'] },
      { text: 'Other.', ids: ['pays-twice'] },
    ])
  })

  it('groups rules that were not observed by what gives an occasion', () => {
    const rule = (id: FindingId, reason: string, provoke?: string) =>
      ({ id, title: '', state: 'not_observed', reason, provoke }) as const
    expect(
      notObservedIn([
        rule('url-altered', 'None.', 'Download.'),
        rule('hot-linked', 'Fast.'),
        rule('pays-twice', 'None.', 'Download.'),
      ]),
    ).toEqual([
      { text: 'Download.', ids: ['url-altered', 'pays-twice'] },
      { text: 'Fast.', ids: ['hot-linked'] },
    ])
  })

  it('shows only rules of the active scenario that never applied', () => {
    const rule = (name: string, count: number, inherited = false) =>
      ({ list: 'faults', name, definition: '{}', scenario: 'a', shipped: false, inherited, count }) as const
    expect(neverAppliedIn([rule('used', 1), rule('unused', 0), rule('base', 0, true)])).toEqual([
      rule('unused', 0),
    ])
  })
})

describe('a change of scenario or clock', () => {
  const entry = (number: number, at: number, what: string, detail?: string): EntryShape => ({
    ...{ number, at: new Date(at).toISOString(), type: 'control', what },
    ...(detail !== undefined && { detail }),
  })

  it('is marked, unless it is a short advance', () => {
    const labels = [
      entry(1, 0, 'scenario', 'flaky'),
      entry(2, 0, 'clock', '+2s'),
      entry(3, 0, 'clock', '+5400000ms'),
      entry(4, 0, 'clock', 'paused'),
      entry(5, 0, 'hold'),
    ].map((each) => changeIn(each)?.label)
    expect(labels).toEqual(['scenario flaky', undefined, 'clock +1 h 30 min', 'clock paused', undefined])
  })

  it('stands between the items of a list by their numbers, or else by their times', () => {
    const changes = [entry(5, 100, 'scenario', 'a'), entry(9, 200, 'scenario', 'b')].flatMap(
      (each) => changeIn(each) ?? [],
    )
    const above = (item: object, newer?: object) =>
      changesAbove(changes, item as never, newer as never).map(({ number }) => number)
    expect(above({ number: 3, at: 100 }, { number: 8, at: 100 })).toEqual([5])
    expect(above({ number: 8, at: 150 })).toEqual([9])
    expect(above({ at: 100 }, { at: 200 })).toEqual([9])
    expect(above({ at: 99 }, { at: 100 })).toEqual([5])
  })
})

it('the page shows a shipped scenario without its schema and its checks', () => {
  for (const name of readdirSync(SCENARIOS)) {
    const text = readFileSync(new URL(name, SCENARIOS), 'utf8')
    const { expect: _, ...rest } = parse(text)
    expect(parse(shownText(text)), name).toEqual(rest)
    expect(shownText(text)).not.toMatch(/yaml-language-server|^expect/m)
  }
})
