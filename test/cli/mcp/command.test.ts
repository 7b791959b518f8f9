import { expect, it } from 'vitest'
import { folderWith } from '../run.js'
import { runInProcess } from '../run-in-process.js'

/** Runs `tasksim mcp` with options that it rejects, and returns what it prints. */
async function failureOf(...args: string[]): Promise<string> {
  const running = runInProcess(folderWith(), ['mcp', ...args], { TASKSIM_WEBHOOK_SECRET: 'whsec_of_the_app' })
  expect(await running.ended).toBe(1)
  return running.stderr()
}

const SERVER = ['--server', 'http://127.0.0.1:9']

it.each([
  [['flaky'], 'the scenario flaky'],
  [['--port', '4010'], '--port'],
  [['--seed', '7'], '--seed'],
  [['--otel'], '--otel'],
  [['--dialect', 'openai'], '--dialect'],
  [['--webhook-secret', 'another'], '--webhook-secret'],
  [['--cors', '*'], '--cors'],
])('tasksim mcp rejects %j for a server that runs elsewhere', async (args, given) => {
  expect(await failureOf(...SERVER, ...args)).toBe(
    `tasksim: --server names a running server, which has its own settings; got ${given} as well. Omit one of them.\nSee tasksim mcp --help.\n`,
  )
})

it('tasksim mcp does not mistake defaults for settings of a server that runs elsewhere', async () => {
  expect(await failureOf(...SERVER)).toContain('Cannot reach tasksim at http://127.0.0.1:9')
})

it('tasksim mcp rejects a control token without a server', async () => {
  expect(await failureOf('--control-token', 'secret')).toContain(
    '--control-token is for a running server. Add --server URL, or omit the token.',
  )
})
