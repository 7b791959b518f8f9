import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { deepTest } from '../support/deep.js'
import { ROOT, snippets } from './pages.js'

const run = promisify(execFile)
const read = (path: string) => readFileSync(`${ROOT}examples/${path}`, 'utf8')

const dockerfile = read('docker/Dockerfile').replaceAll('\\\n', '')
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))

/** Returns the words of an image instruction, written as JSON to bypass the shell. */
function wordsOf(instruction: RegExp): string[] {
  const [, words = ''] = instruction.exec(lastStage) ?? []
  return JSON.parse(words)
}

test('a file shown on a page equals the real file', () => {
  const shown = snippets().filter(({ marker }) => marker?.name === 'file')
  expect(shown.length).toBeGreaterThan(0)
  for (const { text, marker } of shown) expect(text).toBe(readFileSync(ROOT + marker?.what, 'utf8'))
})

test('the image runs the command of the package, as an ordinary user and without a shell', () => {
  const { bin } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  expect(lastStage).toMatch(/^USER node$/m)
  expect(wordsOf(/^ENTRYPOINT (.*)$/m)).toEqual([
    'node',
    `/app/node_modules/tasksim/${bin.tasksim}`,
    '--host',
    '0.0.0.0',
  ])
  expect(wordsOf(/^CMD (.*)$/m)).toEqual(['default'])
})

deepTest.each(['a-token-of-the-test', undefined])(
  'the health check of the image reports whether a server answers: %s',
  async (controlToken) => {
    const sim = createSimulator()
    const { baseUrl, close } = await listen(sim, { port: 0, ...(controlToken && { controlToken }) })
    onTestFinished(() => sim.close())
    const [program = '', option = '', script = ''] = wordsOf(/^HEALTHCHECK .*?CMD (.*)$/m)
    const check = () => run(program, [option, script.replace('127.0.0.1:4010', new URL(baseUrl).host)])
    await check()
    await close()
    await expect(check()).rejects.toMatchObject({ code: 1 })
  },
)

test('the compose file builds that image, and publishes its port on this machine only', () => {
  const { services } = parse(read('docker/compose.yaml'))
  expect(services.tasksim.build).toEqual({ context: '../..', dockerfile: 'examples/docker/Dockerfile' })
  expect(services.tasksim.ports).toEqual(['127.0.0.1:4010:4010'])
})

test('the servers of the scale-out example have a partition and its ledger, and nginx knows them', () => {
  const { services } = parse(read('scale-out/compose.yaml'), { merge: true })
  const { nginx, redis: _, ...servers } = services
  const nginxConf = read('scale-out/nginx.conf')
  for (const [name, { environment, restart, build }] of Object.entries<typeof nginx>(servers)) {
    const partition = environment.TASKSIM_PARTITION
    expect(name).toMatch(new RegExp(`^tasksim-${partition}-[12]$`))
    expect(environment.TASKSIM_LEDGER).toBe(`redis://redis:6379?prefix=tasksim-${partition}`)
    expect(nginxConf).toContain(`upstream partition_${partition} {`)
    expect(nginxConf).toContain(`server ${name}:4010 max_fails`)
    expect([restart, build.args]).toEqual(['always', { PACKAGES: '@redis/client' }])
  }
  expect(nginx.ports).toEqual([4010, 4011, 4012].map((port) => `127.0.0.1:${port}:${port}`))
  expect(nginx.depends_on).toEqual(Object.keys(servers))
})

test.each([
  ['the action that starts tasksim', '', 'start.sh'],
  ['the action that reports findings', 'report/', 'report.sh'],
])(
  '%s passes every input to its script in a variable, and outputs the results of the script',
  (_, folder, file) => {
    const { inputs, outputs = {}, runs } = parse(read(`github-action/${folder}action.yml`))
    const [step] = runs.steps
    const script = read(`github-action/${folder}${file}`)
    for (const [name, { required }] of Object.entries<{ required?: boolean }>(inputs)) {
      const variable = name.replace('-', '_').toUpperCase()
      expect(step.env[variable]).toBe(`\${{ inputs.${name} }}`)
      expect(script).toContain(required ? `"$${variable}"` : `\${${variable}:-`)
    }
    for (const [name, { value }] of Object.entries<{ value: string }>(outputs)) {
      expect(value).toBe(`\${{ steps.${step.id}.outputs.${name} }}`)
      expect(script).toContain(`${name}=%s`)
    }
    expect(step.run).toContain(file)
    expect(step.run).not.toContain('${{')
  },
)
