import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { argumentsOf, commitParts } from '../../src/ledger/redis/commit-parts.js'
import { Lease } from '../../src/ledger/redis/lease.js'
import { readRedisUrl } from '../../src/ledger/redis/redis-address.js'
import { RecentCommits, timeoutOf } from '../../src/ledger/redis/redis-commits.js'
import { redisError } from '../../src/ledger/redis/redis-error.js'
import { warningsOf } from '../../src/ledger/redis/redis-ledger.js'

describe('the URL of a ledger in Redis', () => {
  test('has defaults for everything but the scheme', () => {
    expect(readRedisUrl('redis://')).toEqual({
      host: '127.0.0.1',
      port: 6379,
      isTls: false,
      username: undefined,
      password: undefined,
      database: 0,
      prefix: 'tasksim',
      shown: 'redis://127.0.0.1:6379',
    })
  })

  test('can name TLS, a user, a password, a port, a database and a prefix', () => {
    expect(readRedisUrl('rediss://me:p%40ss@[::1]:7000/3?prefix=ci.1')).toEqual({
      host: '::1',
      port: 7000,
      isTls: true,
      username: 'me',
      password: 'p@ss',
      database: 3,
      prefix: 'ci.1',
      shown: 'rediss://[::1]:7000/3?prefix=ci.1',
    })
  })

  test.each([
    ['http://localhost', 'The URL of the ledger is not valid'],
    ['redis://h:port', 'The URL of the ledger is not valid'],
    [
      'redis://h/one',
      'The database in the URL of the ledger must be a whole number, such as /1; got "/one".',
    ],
    ['redis://h?prefx=a', 'has the unknown parameter "prefx"'],
    ['redis://h?prefix={a}', 'The prefix in the URL of the ledger must consist of'],
    ['redis://:100%@h', 'has a % without two hexadecimal digits'],
  ])('%s is rejected', (url, message) => {
    expect(() => readRedisUrl(url)).toThrow(message)
  })

  test('shows its password in no message, however it is written', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^hunter2[!-~]{0,4}$/),
        fc.constantFrom('', '/x', '/99999999', '?a=b', '?prefix=*', ':x', '/1'),
        (password, rest) => {
          expect(shownOf(`redis://me:${password}@host${rest}`)).not.toContain('hunter2')
        },
      ),
    )
  })
})

function shownOf(url: string): string {
  try {
    return redisError(readRedisUrl(url), new Error('ECONNREFUSED')).message
  } catch (error) {
    return String(error)
  }
}

test.each([
  ['NOAUTH Authentication required.', 'Add the password to the URL'],
  ['OOM command not allowed when used memory > maxmemory.', 'Raise `maxmemory`'],
  ['MISCONF Errors writing to the AOF file: No space left on device', 'Free space on it'],
  ['MOVED 3999 127.0.0.1:6381', 'not a cluster'],
])('the error %s names a remedy', (reason, remedy) => {
  expect(redisError({ shown: 'redis://h:1', isTls: false }, new Error(reason)).message).toMatch(
    `Failed to use the ledger redis://h:1: ${reason.replace(/\.$/, '')}. `,
  )
  expect(redisError({ shown: 'redis://h:1', isTls: false }, new Error(reason)).message).toContain(remedy)
})

describe('a commit', () => {
  const rows = fc.array(
    fc.record({
      space: fc.constantFrom('', 's_1'),
      kind: fc.constantFrom('task', 'upload'),
      seq: fc.nat(5),
      json: fc.option(fc.json(), { nil: undefined }),
      bytes: fc.option(fc.uint8Array({ maxLength: 3 }), { nil: undefined }),
    }),
    { maxLength: 40 },
  )

  test('stores what its last rows say, in any number of parts', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 50 }), (list, size) => {
        const expected = new Map<string, string>()
        for (const { space, kind, seq, json, bytes } of list) {
          put(expected, `rows:${space}:${kind}/${seq}`, json)
          put(expected, `bytes:${space}:${kind}/${seq}`, json === undefined ? undefined : bytes?.join())
        }
        const stored = new Map<string, string>()
        for (const part of commitParts(list, new Set(), size)) run(argumentsOf(part), stored)
        expect(stored).toEqual(expected)
      }),
    )
  })

  test('has one part even without rows, because it renews the lease', () => {
    expect(commitParts([], new Set())).toHaveLength(1)
  })
})

function put(map: Map<string, string>, key: string, value: string | undefined): void {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}

/** Reads arguments as the script does. */
function run(args: readonly (string | Buffer)[], stored: Map<string, string>): void {
  const left = [...args]
  const take = (count: number) => left.splice(0, count)
  while (left.length > 0) {
    const [name, setCount] = take(2)
    const set = take(Number(setCount))
    for (let at = 0; at < set.length; at += 2) {
      const value = set[at + 1]
      stored.set(`${name}/${set[at]}`, Buffer.isBuffer(value) ? [...value].join() : String(value))
    }
    for (const field of take(Number(take(1)[0]))) stored.delete(`${name}/${field}`)
  }
}

describe('a lease', () => {
  test('is certain for less than its time in Redis, measured from before the renewal', () => {
    const time = { steady: 1_000, wall: 0 }
    const lease = new Lease(() => ({ ...time }))
    expect(lease.isCertain()).toBe(false)
    lease.confirm({ ...time })
    time.steady += 1_349
    expect(lease.isCertain()).toBe(true)
    time.steady += 1
    expect(lease.isCertain()).toBe(false)
  })

  test('is not certain after the machine slept, during which the steady clock does not advance', () => {
    const time = { steady: 1_000, wall: 0 }
    const lease = new Lease(() => ({ ...time }))
    lease.confirm({ ...time })
    time.wall += 60_000
    expect(lease.isCertain()).toBe(false)
  })
})

describe('recent commits', () => {
  const commit = (number: number, text = '') => ({
    number,
    parts: [new Map([['rows::task', { set: ['1', text], deleted: [] }]])],
  })

  test('are those of the last five seconds', () => {
    const recent = new RecentCommits(0)
    recent.add(commit(1), 0)
    recent.add(commit(2), 1_000)
    recent.add(commit(4), 5_500)
    expect(recent.after(0)).toBeUndefined()
    expect(recent.after(1)?.map(({ number }) => number)).toEqual([2, 4])
    expect(recent.after(4)).toEqual([])
  })

  test('have a limited size', () => {
    const recent = new RecentCommits(0)
    recent.add(commit(1, 'x'.repeat(40 * 1024 * 1024)), 0)
    recent.add(commit(2, 'x'.repeat(40 * 1024 * 1024)), 0)
    expect(recent.after(0)).toBeUndefined()
    expect(recent.after(1)).toHaveLength(1)
    recent.add(commit(3, 'x'.repeat(80 * 1024 * 1024)), 0)
    expect(recent.after(2)).toBeUndefined()
    recent.add(commit(4), 0)
    expect(recent.after(3)).toHaveLength(1)
  })
})

test.each([
  ['aof_enabled:1\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru', []],
  ['aof_enabled:0\r\nmaxmemory:0', ['appendonly yes']],
  ['aof_enabled:1\r\nmaxmemory:1000\r\nmaxmemory_policy:allkeys-lru\r\n', ['noeviction']],
  ['', []],
])('the settings %j of Redis are warned about', (info, words) => {
  const warnings = warningsOf(info)
  expect(warnings).toHaveLength(words.length)
  for (const [at, word] of words.entries()) expect(warnings[at]).toContain(word)
})

test('a commit of more than 10 MB has more than four seconds', () => {
  expect(timeoutOf([['EVAL', '{}']])).toBe(4_000)
  expect(timeoutOf([['EVAL', 'x'.repeat(50_000_000)]])).toBeCloseTo(20_000, -2)
})
