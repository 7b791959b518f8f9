import { join } from 'node:path'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { readScenarioFile } from '../../src/cli/files/read-scenario-file.js'
import { dialectStarter } from '../../src/cli/init/starters.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, parseDialect, parseScenario, type Simulator } from '../../src/index.js'
import { folderWith } from './run.js'

const ACME = dialectStarter('', 'acme')
const SCENARIO = 'dialects: { acme: { file: ./acme.yaml, secret: own_secret } }\n'

/** A folder with a scenario and the dialect that it names. */
function folderOf(files: Record<string, string> = {}): string {
  return folderWith({ 'scenario.yaml': SCENARIO, 'acme.yaml': ACME, ...files })
}

function readFrom(folder: string, file = 'scenario.yaml') {
  return readScenarioFile(join(folder, file))
}

/** The state of a new job. */
async function stateIn(sim: Simulator): Promise<unknown> {
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: '{"prompt":"waves"}' }
  const answer = await getResponse(
    handlers(sim, { dialect: 'acme' }),
    new Request('https://api.acme.example/v1/jobs', init),
  )
  const { state } = (await answer?.json()) ?? {}
  return state
}

describe('a scenario file that names a dialect file', () => {
  it('adds the dialect, with its secret, and is reloaded with it', async () => {
    const folder = folderOf()
    const { scenario, files } = readFrom(folder)
    expect(files).toEqual([join(folder, 'scenario.yaml'), join(folder, 'acme.yaml')])
    const sim = createSimulator({ scenario, rootDialect: 'acme' })
    expect(await stateIn(sim)).toBe('running')
    expect(sim.dialects.get('acme')?.webhooks(sim.scenario).secret).toBe('own_secret')
    sim.useScenario(readFrom(folderOf({ 'acme.yaml': ACME.replace('running', 'busy') })).scenario)
    expect(await stateIn(sim)).toBe('busy')
    sim.useScenario('flaky')
    expect(await stateIn(sim)).toBe('busy')
  })

  it('may be extended from another folder', () => {
    const folder = folderOf()
    const other = folderWith({ 'upper.yaml': `extends: ${join(folder, 'scenario.yaml')}\n` })
    expect(readFrom(other, 'upper.yaml').scenario.dialects).toMatchObject({
      acme: { table: { title: 'Acme' } },
    })
  })

  it('yields to the same dialect of an option', async () => {
    const sim = createSimulator({
      scenario: readFrom(folderOf()).scenario,
      dialects: [parseDialect(ACME.replace('running', 'busy'))],
    })
    expect(await stateIn(sim)).toBe('busy')
  })

  it.each([
    ['is missing', SCENARIO.replace('acme.yaml', 'acne.yaml'), 'Cannot read the dialect'],
    ['has another name', SCENARIO.replace('acme:', 'stardust:'), 'its `name` is "acme"'],
  ])('reports at its place that the file %s', (_, text, why) => {
    const read = () => readFrom(folderOf({ 'scenario.yaml': text }))
    expect(read).toThrow(
      /scenario\.yaml:1:\d+: dialects\.\w+\.file: cannot use "\.\/\w+\.yaml" as a dialect: /,
    )
    expect(read).toThrow(why)
  })

  it('reports the mistakes in the dialect file at their place in it', () => {
    const broken = ACME.replace('queued: waiting', 'queued: { wrod: waiting }')
    expect(() => readFrom(folderOf({ 'acme.yaml': broken }))).toThrow(
      /acme\.yaml:\d+:\d+: statuses\.queued\.wrod: unknown field `wrod`; did you mean `word`\?/,
    )
    expect(() => readFrom(folderOf({ 'acme.yaml': 'seed: 1' }))).toThrow(
      /acme\.yaml: the file is a scenario, not a dialect/,
    )
  })

  it('cannot add a file over the control API, but can repeat one that is in use', async () => {
    const replaceIn = (sim: Simulator) => sim.control.scenario.replace({ text: SCENARIO })
    await expect(replaceIn(createSimulator())).rejects.toThrow(
      'A scenario from the control API cannot read files of this machine: omit `dialects.acme.file`',
    )
    const sim = createSimulator({ dialects: [parseDialect(ACME)] })
    await expect(replaceIn(sim)).resolves.toMatchObject({ text: expect.stringContaining('acme.yaml') })
  })

  it('needs the dialect itself in the library, which reads no files', () => {
    const scenario = parseScenario(SCENARIO)
    expect(() => createSimulator({ scenario })).toThrow('createSimulator({ dialects: [parseDialect(text)] })')
    expect(() => createSimulator({ scenario, dialects: [parseDialect(ACME)] })).not.toThrow()
  })
})
