import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../run.js'
import { call, startService, startSimulated } from './service.js'
import { startRecorder } from './start-recorder.js'

const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }

/** Makes a recording of one request. */
async function record(out: string, service: string, options = {}) {
  const { origin, recorder, recorded } = await startRecorder('tasks', service, { out, ...options })
  await call(origin, '/api/v1/tasks', ORDER)
  return { recorder, ...(await recorded()) }
}

it('tasksim record continues a recording of the same service with the same salt', async () => {
  const out = join(folderWith(), 'recording.jsonl')
  const { origin: service } = await startSimulated()
  const first = await record(out, service)
  expect(statSync(out).mode & 0o777).toBe(0o600)
  const second = await record(out, service)
  expect([first.recorder.file.isContinued, second.recorder.file.isContinued]).toEqual([false, true])
  expect(second.header).toEqual(first.header)
  expect([first.exchanges.length, second.exchanges.length]).toEqual([1, 2])
})

it('tasksim record removes a last line that is incomplete after a crash', async () => {
  const out = join(folderWith(), 'recording.jsonl')
  const { origin: service } = await startSimulated()
  await record(out, service)
  appendFileSync(out, '{"type":"exch')
  const { recorder, exchanges } = await record(out, service)
  expect([recorder.file.isCut, exchanges.length]).toEqual([true, 2])
})

it('tasksim record uses an empty file', async () => {
  const out = join(folderWith({ 'recording.jsonl': '' }), 'recording.jsonl')
  expect((await record(out, (await startSimulated()).origin)).exchanges).toHaveLength(1)
})

it.each([
  [{}, 'http://127.0.0.1:9', /upstream was http:\/\/127.0.0.1:\d+, and is http:\/\/127.0.0.1:9/],
  [{ redact: ['input.prompt'] }, undefined, /--redact was not given, and is input.prompt/],
  [{ keepsBodies: false }, undefined, /--no-bodies was false, and is true/],
])(
  'tasksim record does not add to a recording with other settings: %j %s',
  async (options, upstream, message) => {
    const out = join(folderWith(), 'recording.jsonl')
    const { origin: service } = await startSimulated()
    await record(out, service)
    const before = readFileSync(out, 'utf8')
    await expect(startRecorder('tasks', upstream ?? service, { out, ...options })).rejects.toThrow(message)
    expect(readFileSync(out, 'utf8')).toBe(before)
  },
)

it('tasksim record does not change a file that is no recording', async () => {
  const out = join(folderWith({ 'notes.txt': 'first\nsecond' }), 'notes.txt')
  await expect(startRecorder('tasks', 'http://127.0.0.1:9', { out })).rejects.toThrow(
    /is not a recording.*change --out/s,
  )
  expect(readFileSync(out, 'utf8')).toBe('first\nsecond')
})

it('tasksim record says if the file cannot be written', async () => {
  const out = join(folderWith(), 'missing', 'recording.jsonl')
  await expect(startRecorder('tasks', 'http://127.0.0.1:9', { out })).rejects.toThrow(/Cannot write .*ENOENT/)
})

it('tasksim record downloads each output file once, and only the service gets the key', async () => {
  const requests: [path: string | undefined, key: string | undefined][] = []
  const files = await startService(({ url, headers }, response) => {
    requests.push([url, headers.authorization])
    response.setHeader('content-type', 'image/png').end('bytes')
  })
  const service = await startService((_, response) => {
    const task = {
      id: 'task_1',
      model: 'm',
      status: 'succeeded',
      output: { images: [`${files}/1.png?sig=secret`] },
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(task))
  })
  const { origin, recorded } = await startRecorder('tasks', service, { keepsFiles: true })
  for (const path of ['/api/v1/tasks/task_1', '/api/v1/tasks/task_1'])
    expect((await call(origin, path)).json.output.images).toEqual([`${files}/1.png?sig=secret`])
  expect((await recorded()).files).toEqual([
    {
      type: 'file',
      at: expect.any(String),
      url: `${files}/1.png`,
      content_type: 'image/png',
      base64: Buffer.from('bytes').toString('base64'),
    },
  ])
  expect(requests).toEqual([['/1.png?sig=secret', undefined]])
})
