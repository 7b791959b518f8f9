import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { folderWith } from '../cli/run.js'
import { bash } from '../support/bash.js'
import { curlTest } from '../support/curl-test.js'
import { plainSnippets, snippets } from './pages.js'

const SERVER = 'http://127.0.0.1:4010'

/** Returns a script without the commands that a test cannot run. commands.test.ts checks those. */
function requestsIn(script: string): string {
  const commands = script.replaceAll(/\s*\\\n\s*/g, ' ').split('\n')
  return commands.filter((line) => !/^\s*(?:npx|npm|docker|openssl|#)/.test(line)).join('\n')
}

const scripts = plainSnippets('sh')
  .map(({ place, text }) => [place, requestsIn(text)] as const)
  .filter(([, script]) => script.includes('curl '))

curlTest.each(scripts)('the requests at %s succeed', async (_, script) => {
  const sim = createSimulator({ clock: 'manual', scenario: 'instant' })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  const own = script
    .replaceAll(SERVER, new URL(baseUrl).origin)
    .replaceAll(/\bcurl /g, 'curl --fail-with-body --show-error ')
  const { stdout, stderr } = await bash(['-euo', 'pipefail', '-c', own], {
    cwd: folderWith(),
    timeout: 20_000,
  })
  expect(stderr).toBe('')
  expect(stdout).not.toMatch(/"error":\{"code"/)
})

test('the startup files of the machine do not run', async () => {
  const home = folderWith({ '.bashrc': 'echo noise; exit 3', '.bash_profile': 'echo noise; exit 3' })
  vi.stubEnv('HOME', home)
  // The level of a shell that no other shell has started.
  vi.stubEnv('SHLVL', '0')
  vi.stubEnv('BASH_ENV', join(home, '.bashrc'))
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await bash(['-c', 'echo done'])).toEqual({ stdout: 'done\n', stderr: '' })
})

test('only the requests of a script run', () => {
  expect(scripts.length).toBeGreaterThan(5)
  expect(requestsIn('npx tasksim &\ncurl -s \\\n  http://x/ # it\n')).toBe('curl -s http://x/ # it\n')
})

test.each(snippets('sh').map(({ place, text }) => [place, text] as const))(
  'a shell can parse the script at %s',
  async (_, text) => {
    await expect(bash(['-n', '-c', text])).resolves.toBeDefined()
  },
)
