import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { CLIENTS, clientCode, OTHER_CLIENTS } from '../../src/control/code/clients.js'
import { FACTS } from '../../src/dialects/files/facts.generated.js'
import { FILES } from '../../src/dialects/files/index.generated.js'
import { toMilliseconds } from '../../src/engine/clock/durations.js'
import { parseScenario } from '../../src/index.js'
import { LARGE_CLIENTS } from '../support/installed-client.js'
import { ROOT, readPage } from './pages.js'

const read = (path: string) => readFileSync(ROOT + path, 'utf8')
/** The versions of the clients that the tests use. */
const VERSIONS = { ...JSON.parse(read('package.json')).devDependencies, ...LARGE_CLIENTS }

/** The cells of each row of a table whose first cell is the name of a dialect. */
const allRows = readPage('docs/dialects.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '))

const nameIn = ([name = '']: readonly string[]) => name.replaceAll('`', '')

/** The rows of the dialects with an official client. */
const rows = allRows.filter((row) => CLIENTS[nameIn(row)] !== undefined)

/** The rows of the other dialects. */
const others = allRows.filter((row) => CLIENTS[nameIn(row)] === undefined)

/** The section about a service. */
function sectionOf(title: string): string {
  const [, section = ''] = readPage('docs/dialects.md').split(`\n### ${title}\n`)
  return section.split(/\n##+ /)[0] ?? ''
}

/** An interval as the table writes it. */
const seconds = (interval: number) => `${interval / 1_000} s`

const { poll_interval: intervals, tolerance } = parseScenario('').findings.thresholds
const { video, ...ofOtherKinds } = intervals
const BY_KIND = `${seconds(Math.max(...Object.values(ofOtherKinds)))}, videos ${seconds(video ?? 0)}`

/** How the webhooks of a dialect are signed, in the words of the table. */
function signatureOf(name: string): string {
  const { webhook } = parse(read(`src/dialects/files/${name}.yaml`))
  if (webhook === undefined) return 'no webhooks'
  const { signature } = webhook
  if (signature === undefined) return 'unsigned'
  if (signature === 'standard-webhooks') return 'Standard Webhooks'
  return { ed25519: 'Ed25519', secret: 'a token' }[String(signature.algorithm)] ?? 'HMAC-SHA256'
}

/** The shortest accepted interval of polls of a dialect, in the words of the table. */
function pollsOf(name: string): string {
  const { poll_interval: own, objects = {} } = parse(read(`src/dialects/files/${name}.yaml`))
  if (own === undefined) return BY_KIND
  const video = objects.video?.poll_interval
  return [seconds(toMilliseconds(own)), ...(video ? [`videos ${seconds(toMilliseconds(video))}`] : [])].join(
    ', ',
  )
}

test('the table lists every dialect with an official client', () => {
  expect(rows.map(([name]) => name)).toHaveLength(Object.keys(CLIENTS).length)
  expect(new Set(rows.map(([name]) => name))).toEqual(
    new Set(Object.keys(CLIENTS).map((name) => `\`${name}\``)),
  )
})

test.each(Object.entries(FACTS).filter(([name]) => CLIENTS[name] !== undefined))(
  'the page says when %s was checked, with which client, and what has ended',
  (name, { checked, ended = [] }) => {
    const row = rows.find((each) => nameIn(each) === name) ?? []
    expect(row.at(-1)).toBe(checked?.on)
    expect(row[2]?.replaceAll('`', '')).toBe(checked?.client)
    for (const { on } of ended) expect(readPage('docs/dialects.md')).toContain(on)
  },
)

test.each(Object.entries({ ...CLIENTS, ...OTHER_CLIENTS }))(
  'the page about other languages says what `exec` sets for %s',
  (name, { urlVariable, keyVariable, secretVariable, furtherUrls = {}, furtherKeys = [], settings = {} }) => {
    const row = readPage('docs/other-languages.md')
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` |`))
    const named = row?.split(' | ')[2]?.match(/\w+/g) ?? []
    const set = [urlVariable, keyVariable, secretVariable, ...Object.keys({ ...furtherUrls, ...settings })]
    const all = [...set, ...furtherKeys].filter((each) => each !== undefined)
    expect([...named].sort()).toEqual(all.sort())
  },
)

test('a second table lists every dialect without an official client', () => {
  const names = FILES.map(({ name }) => name).filter((name) => CLIENTS[name] === undefined)
  expect(others.map(nameIn).sort()).toEqual(names.sort())
})

test.each(others.map((row) => [nameIn(row), row] as const))(
  'the row of %s names the hosts, the signature and the interval of polls',
  (name, [, service = '', baseUrl, , signature, polls]) => {
    expect(baseUrl).toBe(`\`$SERVER${OTHER_CLIENTS[name]?.path}\``)
    expect([signature, polls]).toEqual([signatureOf(name), pollsOf(name)])
    const [, about = ''] = sectionOf('Further services').split(`\n- **${service}**: `)
    expect(about.split('\n- ')[0]).toContain('Unverified: ')
  },
)

test.each(rows.map((row) => [nameIn(row), row] as const))(
  'the row of %s names the tested version, the base URL, the signature and the interval of polls',
  (name, [, service = '', client, baseUrl = '', , signature, polls]) => {
    const setup = CLIENTS[name]
    if (setup === undefined) throw new Error(`There is no client of ${name}`)
    expect(client).toBe(`\`${setup.package}\` ${VERSIONS[setup.package]}`)
    expect(clientCode(setup, '$SERVER', 'any-key')[1]).toContain(baseUrl.replaceAll('`', ''))
    expect(signature).toBe(signatureOf(name))
    expect(polls).toBe(pollsOf(name))
    const [, title = ''] = /^\[(.+)\]\(#/.exec(service) ?? []
    expect(sectionOf(title)).toMatch(/\n- Not imitated: .*\n- Unverified: /s)
  },
)

test.each(['docs/dialects.md', 'docs/wrappers.md'])('%s names the versions of package.json', (path) => {
  const named = [...readPage(path).matchAll(/`(?<name>@?[\w/.-]+)` (?<version>\d+\.\d+\.\d+)/g)]
  expect(named.length).toBeGreaterThan(5)
  for (const { groups } of named)
    expect([groups?.['name'], groups?.['version']]).toEqual([
      groups?.['name'],
      VERSIONS[groups?.['name'] ?? ''],
    ])
})

test.each(['ai-sdk', 'official-clients'])(
  'the example %s depends on the versions of package.json',
  (name) => {
    const example = JSON.parse(read(`examples/${name}/package.json`)).devDependencies
    const clients = Object.keys(example).filter((each) => !['msw', 'tasksim', 'vitest'].includes(each))
    expect(clients.length).toBeGreaterThan(2)
    for (const each of clients) expect([each, example[each]]).toEqual([each, VERSIONS[each]])
  },
)

test('the pages state the intervals of polls by kind, and their tolerance', () => {
  expect(new Set(Object.values(ofOtherKinds)).size).toBe(1)
  expect(BY_KIND).toBe('1 s, videos 3 s')
  expect(readPage('docs/findings.md')).toContain('3 s for videos, and 1 s for others')
  expect(tolerance).toBe(0.1)
  expect(readPage('docs/dialects.md')).toContain('less a tenth')
})
