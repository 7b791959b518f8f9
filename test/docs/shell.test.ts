import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { folderWith } from '../cli/run.js'
import { triedSnippets } from './pages.js'

const run = promisify(execFile)
const SERVER = 'http://127.0.0.1:4010'

/** The commands of a script that talk to the server, each in one line. */
function curlsIn(script: string): string[] {
  const lines = script.replaceAll(/\\\n\s*/g, ' ').split('\n')
  return lines.filter((line) => /^\s*curl /.test(line) && line.includes(SERVER))
}

const scripts = triedSnippets('sh')
  .filter(({ text }) => curlsIn(text).length > 0)
  .map(({ place, text }) => [place, curlsIn(text)] as const)

test.each(scripts)('the requests at %s succeed', async (_, commands) => {
  const sim = createSimulator({ clock: 'manual' })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  const folder = folderWith()
  for (const command of commands) {
    const own = command.replaceAll(SERVER, new URL(baseUrl).origin).replace('curl ', 'curl --fail-with-body ')
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', own], { cwd: folder, timeout: 20_000 })
    expect(stdout).not.toMatch(/"error":\{"code"/)
  }
})

test.each(triedSnippets('sh').map(({ place, text }) => [place, text] as const))(
  'the shell at %s can be read by a shell',
  async (_, text) => {
    await expect(run('bash', ['-n', '-c', text])).resolves.toBeDefined()
  },
)
