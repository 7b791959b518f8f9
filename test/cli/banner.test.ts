import { expect, it, onTestFinished } from 'vitest'
import { banner } from '../../src/cli/serve/banner.js'
import { answeredTask, answeredTasks } from '../../src/engine/tasks/answered-task.js'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator, type SimulatorOptions } from '../../src/index.js'
import { bash } from '../support/bash.js'
import { curlTest } from '../support/curl-test.js'
import { sampleOf } from '../support/deep.js'

async function bannerOf(dialects: readonly string[], options: SimulatorOptions = {}) {
  const sim = createSimulator({ scenario: 'instant', ...options })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  const root = options.rootDialect
  const text = await banner(sim, baseUrl, { controlToken: undefined, dialects, root })
  return { sim, text: text.replaceAll(new URL(baseUrl).origin, 'http://sim') }
}

const SECRET = 'whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA=='

it.each([
  ['tasks', 'http://sim/api/v1', 'whsec_local_signing_secret', undefined],
  [
    'luma',
    'http://sim/luma/dream-machine/v1',
    'none (luma signs no webhooks)',
    'Authorization: Bearer <API key>',
  ],
  ['replicate', 'http://sim/replicate/v1', SECRET, 'Authorization: Bearer <API key>'],
  ['runway', 'http://sim/runway', 'none (runway sends no webhooks)', 'Authorization: Bearer <API key>'],
  ['assemblyai', 'http://sim/assemblyai', 'none (assemblyai signs no webhooks)', 'Authorization: <API key>'],
])('the banner shows the address, the key header and the secret of %s', async (name, url, secret, header) => {
  const { text } = await bannerOf([name])
  expect(text.split('\n')[0]).toBe(`tasksim is ready at ${url}`)
  expect(text).toContain(`  webhook secret  ${secret}\n`)
  expect(/^ {2}key header {6}(.*)$/m.exec(text)?.[1]).toBe(header)
})

it('the banner shows the dialect at the root at the root, and its secret of the scenario masked', async () => {
  const { text } = await bannerOf(['luma'], {
    rootDialect: 'replicate',
    scenario: { dialects: { replicate: { secret: 'whsec_a_secret_of_a_user' } } },
  })
  expect(text.split('\n')[0]).toBe('tasksim is ready at http://sim/v1')
  expect(text).toContain('curl -s http://sim/v1/predictions \\\n')
  expect(text).toContain('  webhook secret  whs...user\n')
  expect(text).toContain('  luma            http://sim/luma/dream-machine/v1\n')
})

it('the banner shows the partition', async () => {
  expect((await bannerOf([], { partition: 'eu-1' })).text).toContain('\n  partition       eu-1\n')
})

it('the banner shows no key of the scenario, but a variable for it', async () => {
  const { text } = await bannerOf(['luma'], { scenario: { auth: { keys: ['sk_live_secret_of_a_user'] } } })
  expect(text).toContain('  API key         sk_...user\n')
  expect(text).toContain('-H "Authorization: Bearer $API_KEY"')
})

curlTest('prints commands that create and poll a task in every dialect', async () => {
  for (const name of sampleOf(2, createSimulator().dialects.names)) {
    const sim = createSimulator({ scenario: 'instant' })
    const { baseUrl, close } = await listen(sim, { port: 0 })
    const text = await banner(sim, baseUrl, { controlToken: undefined, dialects: [name], root: undefined })
    const [create = '', poll = ''] = text.match(/^ {2}curl (?:.*\\\n)*.*$/gm) ?? []
    await bash(['-c', create])
    const [task] = (await sim.tasks.list({ limit: 1 }))?.tasks ?? []
    const { stdout } = await bash(['-c', poll], { env: { ...process.env, ID: task?.id } })
    const { answers } = await sim.dialects.load(name)
    const [polled = {}] = answeredTasks(JSON.parse(stdout), answers)
    expect(answeredTask(polled, answers).status, name).toBe('succeeded')
    sim.close()
    await close()
  }
})
