import { expect, it } from 'vitest'
import { folderWith, start } from './run.js'
import { runInProcess } from './run-in-process.js'

it.each([
  [['--cors', 'app.example'], /--cors must be a URL.*"app\.example"/],
  [
    ['--allow-host', 'http://sim.test'],
    /--allow-host must be a host name without a scheme or a port.*"http:/,
  ],
  [['--allow-host', 'sim.test:4010'], /--allow-host must be a host name.*"sim\.test:4010"/],
  [['--control-token', 'two words'], /control token must consist of visible ASCII.*openssl/],
  [['--control-token', 'line\u0007'], /control token must consist of visible ASCII.*openssl/],
])('tasksim rejects %j and says which values are allowed', async (options, message) => {
  const running = runInProcess(folderWith(), ['--port', '0', ...options])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(message)
})

it('tasksim accepts the origins and host names that are given, and warns about a short control token', async () => {
  const options = [
    '--cors',
    'https://app.example/',
    '--cors',
    'https://other.example',
    '--allow-host',
    'sim.test',
  ]
  const running = start(folderWith(), ['--port', '0', '--control-token', 'short', ...options])
  const [base] = await running.printed(/http:\/\/[\w.]+:\d+\/api\/v1/)
  const headers = { authorization: 'Bearer k', origin: 'https://app.example' }
  const answer = await fetch(`${base}/tasks`, { headers })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
    200,
    'https://app.example',
  ])
  const foreign = await fetch(`${base}/tasks`, { headers: { ...headers, origin: 'https://foreign.example' } })
  expect(foreign.status).toBe(403)
  await running.printed(/<-- GET \/api\/v1\/tasks 403 .*--cors https:\/\/foreign\.example/)
  expect(running.stderr()).toMatch(/control token has only 5 characters.*at least 16/)
})
