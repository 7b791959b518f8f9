import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environmentFor } from '../../src/cli/exec/environment.js'
import { dialectStarter } from '../../src/cli/init/starters.js'
import { CLIENTS, OTHER_CLIENTS } from '../../src/control/code/clients.js'
import { BUILT_IN_DIALECTS } from '../../src/dialects/built-in.js'
import { FACTS } from '../../src/dialects/files/facts.generated.js'
import { parseScenario } from '../../src/index.js'
import { deepTest } from '../support/deep.js'
import { folderWith, start } from './run.js'
import { runInProcess } from './run-in-process.js'

it('tasksim lists every dialect with the code that points its client to the server', async () => {
  const { ended, stdout } = runInProcess(folderWith({}), ['dialects', '--port', '4123'])
  expect(await ended).toBe(0)
  for (const [name, { title }] of BUILT_IN_DIALECTS) {
    const { checked, ended = [] } = FACTS[name] ?? {}
    expect(stdout()).toContain(`${name}  ${title}`)
    expect(stdout()).toContain(
      `Checked on ${checked?.on} against ${checked?.client} and ${checked?.document}.`,
    )
    for (const { on, source } of ended)
      expect(stdout()).toMatch(new RegExp(` ended on ${on}\\. .* \\(${source}\\)\\n`))
    const client = CLIENTS[name]
    if (client !== undefined) expect(stdout()).toContain(`'http://127.0.0.1:4123${client.path}'`)
  }
})

it('tasksim shows the same about the dialect of a file, and only about those that are given', async () => {
  const facts = `checked: { on: 2026-11-26, client: acme-sdk 2.1.0 }
ended: [{ paths: [/jobs], on: 2026-03-31, replaced_by: /v2/jobs }]
`
  const dir = folderWith({ 'acme.yaml': dialectStarter(facts, 'acme') })
  const { ended, stdout } = runInProcess(dir, ['dialects', 'xai', './acme.yaml', '--port', '4123'])
  expect(await ended).toBe(0)
  expect(stdout()).toBe(`xai  xAI
  The base URL for clients is http://127.0.0.1:4123/xai/v1
  Checked on 2026-11-26 against @ai-sdk/xai 5.0.12 and https://docs.x.ai/docs.

acme  Acme
  The base URL for clients is http://127.0.0.1:4123/acme/v1
  Checked on 2026-11-26 against acme-sdk 2.1.0.
  /jobs ended on 2026-03-31. Replacement: /v2/jobs.
`)
})

it('tasksim explains that it does not know a dialect that it should list', async () => {
  const { ended, stderr } = runInProcess(folderWith({}), ['dialects', 'replicat'])
  expect(await ended).toBe(1)
  expect(stderr()).toContain('There is no dialect "replicat": did you mean `replicate`?')
})

it.each([...BUILT_IN_DIALECTS.keys()])(
  'the base URL of the client of %s leads to its operations',
  async (name) => {
    const prefix = (CLIENTS[name] ?? OTHER_CLIENTS[name])?.path.slice(1 + name.length) ?? ''
    const {
      forward,
      prefix: start = '',
      operations,
    } = (await BUILT_IN_DIALECTS.get(name)?.load())?.table ?? expect.unreachable()
    expect(operations.length).toBeGreaterThan(0)
    if (forward?.path === prefix) return
    for (const { path } of operations) expect(`${start}${path}`.startsWith(`${prefix}/`), path).toBe(true)
  },
)

it.each([
  ['replicate', { REPLICATE_BASE_URL: 'http://h:1/replicate', REPLICATE_API_TOKEN: 'sk_live_local' }],
  ['assemblyai', { ASSEMBLYAI_BASE_URL: 'http://h:1/assemblyai', ASSEMBLYAI_API_KEY: 'sk_live_local' }],
  ['runpod', { RUNPOD_ENDPOINT_BASE_URL: 'http://h:1/runpod/v2', RUNPOD_API_KEY: 'sk_live_local' }],
  ['dashscope', { DASHSCOPE_HTTP_BASE_URL: 'http://h:1/dashscope/api/v1', ALIBABA_API_KEY: 'sk_live_local' }],
  ['heygen', { HEYGEN_API_BASE: 'http://h:1/heygen', HEYGEN_ALLOW_HTTP: '1' }],
  ['vertex', { GOOGLE_VERTEX_BASE_URL: 'http://h:1/vertex', GOOGLE_GENAI_USE_VERTEXAI: 'true' }],
])('exec sets the variables that clients of %s in other languages read', (name, variables) => {
  const client = {
    ...({ ...CLIENTS, ...OTHER_CLIENTS }[name] ?? expect.unreachable()),
    webhookSecret: 'secret',
  }
  expect(environmentFor('http://h:1/api/v1', parseScenario(''), [], [client])).toMatchObject(variables)
})

it('exec passes the address, the key and the secret in the variables of the clients', async () => {
  const script = `
    import { writeFileSync } from 'node:fs'
    const { LUMAAI_BASE_URL, LUMAAI_API_KEY, OPENAI_BASE_URL, OPENAI_WEBHOOK_SECRET } = process.env
    writeFileSync('seen.txt', [LUMAAI_BASE_URL, LUMAAI_API_KEY, OPENAI_BASE_URL, OPENAI_WEBHOOK_SECRET].join(' '))`
  const folder = folderWith({ 'main.mjs': script })
  const options = [
    'exec',
    '--dialect',
    'luma',
    '--dialect',
    'openai',
    '--allow-no-requests',
    '--',
    process.execPath,
    'main.mjs',
  ]
  expect(await runInProcess(folder, options).ended).toBe(0)
  const seen = readFileSync(join(folder, 'seen.txt'), 'utf8')
  expect(seen).toMatch(
    /^http:\S+\/luma\/dream-machine\/v1 sk_live_local http:\S+\/openai\/v1 whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA==$/,
  )
})

it('tasksim names the nearest dialect if an option has an unknown one', async () => {
  const { ended, stderr } = runInProcess(folderWith({}), ['--root-dialect', 'lama'])
  expect(await ended).toBe(1)
  expect(stderr()).toContain('did you mean `luma`?')
})

it('exec prints the code for a client that reads no address, with the variables that it sets', async () => {
  const options = ['--dialect', 'replicate', '--allow-no-requests']
  const { ended, stderr } = runInProcess(folderWith({}), [
    'exec',
    ...options,
    '--',
    process.execPath,
    '-e',
    '0',
  ])
  expect([await ended, stderr()]).toEqual([0, expect.any(String)])
  expect(stderr()).toContain(
    'new Replicate({ baseUrl: process.env.TASKSIM_URL, auth: process.env.TASKSIM_API_KEY })',
  )
})

const ACME = dialectStarter('', 'acme')

deepTest('exec passes the address and the secret of a dialect file', async () => {
  const script = `
    import { writeFileSync } from 'node:fs'
    const { TASKSIM_URL, ACME_URL, TASKSIM_WEBHOOK_SECRET: secret } = process.env
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
    const answer = await fetch(ACME_URL + '/jobs', { method: 'POST', headers, body: '{"prompt":"waves"}' })
    const { state } = await answer.json()
    writeFileSync('seen.json', JSON.stringify({ TASKSIM_URL, secret, state }))`
  const folder = folderWith({ 'main.mjs': script, 'acme.yaml': ACME })
  const options = ['--dialect', 'acme.yaml', '--env', 'ACME_URL=base_url', '--fail-on', 'never']
  const { ended, stderr } = runInProcess(folder, ['exec', ...options, '--', process.execPath, 'main.mjs'])
  expect([await ended, stderr()]).toEqual([0, expect.any(String)])
  expect(JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))).toEqual({
    TASKSIM_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/acme\/v1$/),
    secret: 'acme_local_secret',
    state: 'running',
  })
})

deepTest('a server prints the address of a dialect file, serves it at the root, and reloads it', async () => {
  const folder = folderWith({ 'acme.yaml': ACME })
  const server = start(folder, ['--dialect', './acme.yaml', '--root-dialect', 'acme', '--port', '0'])
  const [, origin = ''] = await server.printed(/acme {12}(http:\/\/127\.0\.0\.1:\d+)\/acme\/v1\n/)
  const stateOfNew = async (path: string) => {
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
    const answer = await fetch(origin + path, { method: 'POST', headers, body: '{"prompt":"waves"}' })
    return ((await answer.json()) as { state: string }).state
  }
  expect(await stateOfNew('/acme/v1/jobs')).toBe('running')
  expect(await stateOfNew('/v1/jobs')).toBe('running')
  await writeFile(join(folder, 'acme.yaml'), ACME.replace('running', 'busy'))
  await server.printed(/Reloaded the dialect \.\/acme\.yaml/)
  expect(await stateOfNew('/acme/v1/jobs')).toBe('busy')
})

it.each([
  ['--dialect', 'missing.yaml', 'Cannot read the dialect missing.yaml: the file does not exist.'],
  ['--dialect', 'broken.yaml', 'broken.yaml:1:1: name: is missing; expected text'],
  ['--dialect', 'taken.yaml', 'taken.yaml: name: got "luma"; tasksim has a dialect with this name'],
  ['--dialect', 'lama', 'There is no dialect "lama": did you mean `luma`?'],
])('%s %s is an error', async (option, value, message) => {
  const folder = folderWith({
    'broken.yaml': 'title: Acme\n',
    'taken.yaml': ACME.replace('name: acme', 'name: luma'),
  })
  const { ended, stderr } = runInProcess(folder, [option, value])
  expect(await ended).toBe(1)
  expect(stderr()).toContain(message)
})
