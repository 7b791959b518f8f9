import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { findScenario } from '../../src/cli/files/find-scenario.js'
import { ServerLog } from '../../src/cli/log.js'
import { record, type Served, serve } from '../record/replay/real-service.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

const HEADERS = { authorization: 'Bearer r8_local', 'content-type': 'application/json' }

async function create({ send }: Pick<Served, 'send'>): Promise<string> {
  const body = JSON.stringify({ input: { prompt: 'waves' } })
  const url = 'https://api.replicate.com/v1/models/acme/image-1/predictions'
  const { id } = await (await send(url, { method: 'POST', headers: HEADERS, body })).json()
  return id
}

async function folderWithRecording(): Promise<{ readonly folder: string; readonly id: string }> {
  const real = record('replicate', {})
  const id = await create(real)
  await real.sim.clock.advance('1m')
  await real.send(`https://api.replicate.com/v1/predictions/${id}`, { headers: HEADERS })
  return { id, folder: folderWith({ 'production.jsonl': real.text() }) }
}

it('tasksim takes a recording in place of a scenario file, and logs whether a task was recorded', async () => {
  const { folder, id } = await folderWithRecording()
  const file = join(folder, 'production.jsonl')
  const { scenario, files } = await findScenario(file)
  expect(files).toEqual([file])
  const replay = serve('replicate', { scenario })
  const lines: string[] = []
  new ServerLog(replay.sim, 'text', (line) => void lines.push(stripVTControlCharacters(line))).follow()
  const other = [await create(replay), await create(replay)][1]
  expect(lines.filter((line) => line.includes('<--'))).toEqual([
    expect.stringMatching(new RegExp(`POST .*/v1/models/acme/image-1/predictions 201 ${id} .*ms recorded$`)),
    expect.stringMatching(
      new RegExp(`POST .*/v1/models/acme/image-1/predictions 201 ${other} .*ms learned$`),
    ),
  ])
})

it('tasksim validate checks a recording, and names the line of a mistake', async () => {
  const { folder } = await folderWithRecording()
  const valid = runInProcess(folder, ['validate', 'production.jsonl'])
  expect(await valid.ended).toBe(0)
  expect(valid.stdout()).toContain('production.jsonl: valid (recording of 1 task in the format of replicate)')
  const broken = folderWith({ 'broken.jsonl': '{"tasksim":"recording","version":1}\n' })
  const invalid = runInProcess(broken, ['validate', 'broken.jsonl'])
  expect(await invalid.ended).toBe(1)
  expect(invalid.stdout()).toMatch(/broken\.jsonl:1: /)
})
