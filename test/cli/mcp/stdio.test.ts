import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { sampleOf } from '../../support/deep.js'
import { folderWith, MAIN, start } from '../run.js'
import { callsOf, createTask } from './connected.js'

it.each(sampleOf(1, ['legacy', 'auto'] as const))(
  'an assistant finds out what an app does wrong after a failing request (protocol: %s)',
  async (mode) => {
    const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, 'mcp', '--clock', 'manual'],
        cwd: folderWith(),
        stderr: 'ignore',
      }),
    )
    onTestFinished(() => client.close())
    const { call, failure } = callsOf(client)
    expect(client.getInstructions()).toContain('get_simulator')
    const { base_url: baseUrl } = await call('get_simulator')
    const { origin } = new URL(baseUrl)

    // The app repeats its create request after a lost answer, and pays twice.
    await call('fail_requests', { operation: 'tasks.create', fault: 'lost' })
    await expect(createTask(origin)).rejects.toThrow('fetch failed')
    expect((await createTask(origin)).status).toBe(200)
    expect((await createTask(origin)).status).toBe(200)

    const { data } = await call('list_requests', { status: 'lost' })
    expect(data).toMatchObject([{ operation: 'tasks.create', fault: 'fail_requests 1' }])
    const { findings } = await call('get_findings')
    expect(findings).toContainEqual(expect.objectContaining({ id: 'pays-twice', severity: 'error' }))
    expect(await call('write_test', { finding: 'pays-twice' })).toContain("from 'tasksim/vitest'")
    expect(await failure('get_task', { id: 'task_none' })).toContain('task_none')

    const again = await call('start_simulator', { scenario: 'instant', clock: 'real' })
    expect(again).toMatchObject({ base_url: baseUrl, state: { scenario: { name: 'instant' }, requests: 0 } })
    expect(await failure('start_simulator', { scenario: 'instnt' })).toContain('instant')
    expect((await createTask(origin)).status).toBe(200)
  },
)

it('only the protocol is on stdout, and the command ends with its stdin', async () => {
  const { child, ended, stdout, stderr } = start(folderWith(), ['mcp', 'realistic', '--seed', '7'])
  child.stdin.end('not json\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  expect(await ended).toBe(0)
  for (const line of stdout().split('\n').filter(Boolean)) expect(JSON.parse(line)).toHaveProperty('jsonrpc')
  expect(stderr()).toMatch(/The simulator is at http:\/\/127\.0\.0\.1:\d+\/api\/v1\./)
})
