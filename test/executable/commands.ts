import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../package/workshop.js'
import { runTasksim } from './bare-machine.js'

/** Checks the commands that end by themselves. */
export function commandChecks(folder: string): Record<string, () => void> {
  const expectOutput = (args: readonly string[], status: number, ...patterns: readonly RegExp[]) => {
    const { status: ended, stdout, stderr } = runTasksim(folder, args)
    const missing = patterns.filter((pattern) => !pattern.test(stdout + stderr))
    if (ended !== status || missing.length > 0)
      throw new Error(`${args.join(' ')} ended with ${ended}; ${missing} is not in:\n${stdout}${stderr}`)
    return stdout
  }
  return {
    'it prints its version, and nothing else'() {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
      const { stdout, stderr } = runTasksim(folder, ['--version'])
      if (stdout !== `${version}\n` || stderr !== '') throw new Error(`it printed ${stdout}${stderr}`)
    },

    'it previews, validates, completes and prints the schema'() {
      expectOutput(['preview', 'realistic'], 0, /video/, /cost/i)
      expectOutput(['init'], 0, /^Wrote tasksim\.yaml\. Serve it with: \.\/tasksim \.\/tasksim\.yaml$/m)
      expectOutput(['validate', 'tasksim.yaml', 'flaky'], 0, /tasksim\.yaml/)
      expectOutput(['--get-yargs-completions', 'tasksim', 'exec', ''], 0, /^flaky$/m)
      expectOutput(['dialects'], 0, /replicate/)
      const published = JSON.parse(readFileSync(join(ROOT, 'dist/scenario.schema.json'), 'utf8'))
      const printed = JSON.parse(expectOutput(['schema'], 0))
      if (JSON.stringify(printed) !== JSON.stringify(published)) throw new Error('the schemas differ')
    },

    'it learns a scenario from a history, and previews it'() {
      expectOutput(['learn', join(ROOT, 'fixtures/histories/tasks.har'), '--out', 'learned.yaml'], 0)
      expectOutput(['preview', './learned.yaml'], 0, /cost/i)
    },

    'it runs a command, reports the mistakes of the client, and exits with 1'() {
      const client = join(ROOT, 'examples/careless-client/client.js')
      expectOutput(
        ['exec', 'lost-create-response', '--speed', '10', '--', process.execPath, client],
        1,
        /^error +pays-twice/m,
        /^succeeded: \d+ bytes$/m,
      )
    },

    'it says what only the npm package can do'() {
      writeFileSync(join(folder, 'handlers.js'), 'export default []')
      expectOutput(
        ['instant', '--port', '0', '--handlers', 'handlers.js'],
        1,
        /^tasksim: The option --handlers needs Node and the npm package: npm install --save-dev tasksim msw/m,
      )
    },

    'its tools for assistants read the documentation'() {
      const call = (id: number, method: string, params: object) =>
        `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
      const client = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'c', version: '1' },
      }
      const input =
        call(1, 'initialize', client) +
        call(2, 'tools/call', { name: 'read_docs', arguments: { page: 'faults' } })
      const { stdout, stderr } = runTasksim(folder, ['mcp', 'instant'], input)
      if (!stdout.includes('# Faults')) throw new Error(`it printed ${stdout}${stderr}`)
    },

    'it contains the client of Redis'() {
      expectOutput(
        ['instant', '--port', '0', '--ledger', 'redis://127.0.0.1:1'],
        1,
        /redis:\/\/127\.0\.0\.1:1/,
      )
      const { stderr } = runTasksim(folder, ['--port', '0', '--ledger', 'redis://127.0.0.1:1'])
      if (stderr.includes('npm install')) throw new Error(`it said ${stderr}`)
    },
  }
}
