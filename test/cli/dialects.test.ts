import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLIENTS } from '../../src/cli/dialects/clients.js'
import { BUILT_IN_DIALECTS } from '../../src/dialects/built-in.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

it('lists every dialect with the code that points its client to the server', async () => {
  const { ended, stdout } = runInProcess(folderWith({}), ['dialects', '--port', '4123'])
  expect(await ended).toBe(0)
  for (const [name, { title }] of BUILT_IN_DIALECTS) {
    expect(stdout()).toContain(`${name}  ${title}`)
    expect(stdout()).toContain(`'http://127.0.0.1:4123${CLIENTS[name]?.path}'`)
  }
})

it.each([...BUILT_IN_DIALECTS.keys()])(
  'the base URL of the client of %s leads to its operations',
  async (name) => {
    const prefix = CLIENTS[name]?.path.slice(1 + name.length) ?? ''
    const { routes } = (await BUILT_IN_DIALECTS.get(name)?.load()) ?? { routes: [] }
    expect(routes.length).toBeGreaterThan(0)
    for (const { path } of routes) expect(path.startsWith(`${prefix}/`), path).toBe(true)
  },
)

it('exec passes the address and the key in the variables of the client', async () => {
  const script = `
    import { writeFileSync } from 'node:fs'
    writeFileSync('seen.txt', process.env.LUMAAI_BASE_URL + ' ' + process.env.LUMAAI_API_KEY)`
  const folder = folderWith({ 'main.mjs': script })
  const options = ['exec', '--dialect', 'luma', '--allow-no-requests', '--', process.execPath, 'main.mjs']
  expect(await runInProcess(folder, options).ended).toBe(0)
  const seen = readFileSync(join(folder, 'seen.txt'), 'utf8')
  expect(seen).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/luma\/dream-machine\/v1 sk_live_local$/)
})

it('names the nearest dialect if an option has an unknown one', async () => {
  const { ended, stderr } = runInProcess(folderWith({}), ['--root-dialect', 'lama'])
  expect(await ended).toBe(1)
  expect(stderr()).toContain('did you mean `luma`?')
})
