import { describe, expect, it } from 'vitest'
import { mask } from '../../../src/engine/mask.js'
import { ajvWith } from '../../support/ajv.js'
import { connectTools, createTask } from './connected.js'

const HOOKS = 'http://127.0.0.1:9/hooks'

describe('the list of tools', () => {
  it('is small enough for every conversation, and describes every argument', async () => {
    const { client } = await connectTools()
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(29)
    expect(JSON.stringify(tools).length).toBeLessThan(28_000)
    const ajv = ajvWith({ validateSchema: true })
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z_]{3,30}$/)
      expect(description?.length).toBeGreaterThan(40)
      expect(() => ajv.compile(inputSchema)).not.toThrow()
      // Some model providers reject a union at the top level.
      expect(Object.keys(inputSchema)).not.toContain('anyOf')
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
        expect(Object(schema).description, `${name}.${argument}`).toBeTruthy()
    }
  })

  it('mentions tools, not requests that an assistant cannot send', async () => {
    const { client } = await connectTools()
    const { tools } = await client.listTools()
    expect(JSON.stringify(tools)).not.toContain('/_sim')
    const trigger = tools.find(({ name }) => name === 'trigger_webhook')
    expect(JSON.stringify(trigger)).toContain('`get_simulator` lists those of each dialect')
  })

  it('says which tools only read, and which delete', async () => {
    const { client } = await connectTools()
    const { tools } = await client.listTools()
    const namesOf = (hint: 'readOnlyHint' | 'destructiveHint') =>
      tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name)
    expect(namesOf('destructiveHint').sort()).toEqual([
      'begin_run',
      'reset_simulator',
      'set_scenario',
      'start_simulator',
    ])
    expect(namesOf('readOnlyHint')).toEqual(
      expect.arrayContaining(['get_findings', 'list_tasks', 'write_test']),
    )
    expect(namesOf('readOnlyHint')).not.toContain('control_clock')
  })
})

it('get_findings says what would provoke each mistake, and which failing cases never applied', async () => {
  const { call, origin } = await connectTools()
  await call('fail_requests', { operation: 'tasks.retrieve', fault: 'lost' })
  await createTask(origin)
  const { not_observed: unobserved, never_applied: unapplied } = await call('get_findings')
  expect(unobserved).toContainEqual({
    id: 'pays-twice',
    provoke: expect.stringContaining('`lost-create-response`'),
  })
  expect(unapplied).toMatchObject([{ list: 'faults', name: 'fail_requests 1' }])
})

describe('failing cases', () => {
  it('fail_requests makes as many requests fail as it says, and each task or key on its own', async () => {
    const { call, origin } = await connectTools()
    const added = await call('fail_requests', {
      ...{ operation: 'tasks.create', fault: { status: 429, retry_after: '7s' }, times: 2 },
      ...{ model: 'acme/image-*' },
    })
    expect(added.added.faults).toMatchObject([{ name: 'fail_requests 1', when: { nth: { max: 2 } } }])
    expect((await createTask(origin, 'acme/video-1')).status).toBe(200)
    const refused = await createTask(origin)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7'])
    expect((await createTask(origin)).status).toBe(429)
    expect((await createTask(origin)).status).toBe(200)

    const second = await call('fail_requests', { operation: 'tasks.create', fault: '500', times: 0 })
    expect(second).toMatchObject({
      also_active_again: ['fail_requests 1'],
      for_a_single_request_instead: 'X-Sim: fault=500',
    })
    for (let sent = 0; sent < 3; sent += 1) expect((await createTask(origin)).status).toBe(500)
    await call('set_scenario', { name: 'instant' })
    expect((await createTask(origin)).status).toBe(200)
    const third = await call('fail_requests', { operation: 'tasks.retrieve', fault: 'reset', per: 'task' })
    expect(third).not.toHaveProperty('also_active_again')
  })

  it('fail_tasks makes the first attempts fail, and a retry succeed', async () => {
    const { call, origin } = await connectTools()
    const error = { code: 'content_policy', message: 'No.' }
    const { for_a_single_request_instead: directive } = await call('fail_tasks', {
      ...{ error, attempts: 1, delay: '2s', input: { prompt: { matches: 'wave' } } },
    })
    expect(directive).toBe('X-Sim: outcome=failed error=content_policy after=2s')
    await createTask(origin)
    await createTask(origin)
    await createTask(origin, 'acme/image-1', 'a hill')
    await call('control_clock', { run_until_idle: true })
    const { data } = await call('list_tasks')
    expect(data.map(({ status, error: code }: Record<string, string>) => [status, code])).toEqual([
      ['succeeded', undefined],
      ['succeeded', undefined],
      ['failed', 'content_policy'],
    ])
  })

  it('break_webhooks loses the next webhook only', async () => {
    const { call, origin } = await connectTools({ receivers: [HOOKS] })
    await call('break_webhooks', { fault: 'lost' })
    for (const model of ['acme/image-1', 'acme/image-2']) {
      await createTask(origin, model)
      await call('control_clock', { advance: '10s' })
    }
    const { data } = await call('list_deliveries')
    expect(data.map(({ state }: { state: string }) => state)).toEqual(['pending', 'lost'])
  })

  it.each([
    ['fail_requests', { operation: 'tasks.create', fault: 'oops' }, /then: .*oops/],
    ['fail_requests', { operation: 'tasks.create', fault: 503, times: -1 }, '`times` must be a whole number'],
    ['fail_requests', { fault: 503 }, 'The argument `operation` of fail_requests is missing'],
    ['fail_tasks', { outcome: 'broken' }, /outcome/],
    ['break_webhooks', { fault: 'lots' }, /did you mean `lost`/],
    ['patch_scenario', { settings: { kindz: {} } }, /kindz.*did you mean `kinds`/],
  ])('a wrong case is rejected with the remedy: %s %j', async (tool, given, message) => {
    const { failure, call } = await connectTools()
    expect(await failure(tool, given)).toMatch(message)
    // Nothing has changed.
    expect((await call('get_scenario')).text).not.toBeNull()
  })
})

describe('wait_for_tasks', () => {
  it('answers when all tasks have ended', async () => {
    const { call, origin } = await connectTools({ clock: 'real', speed: 1_000 })
    const { id } = (await (await createTask(origin)).json()) as { id: string }
    expect(await call('wait_for_tasks')).toMatchObject({ all_ended: true, tasks_by_status: { succeeded: 1 } })
    expect(await call('wait_for_tasks', { ids: [id] })).toMatchObject({
      tasks: [{ id, status: 'succeeded' }],
    })
  })

  it('says why tasks are still running', async () => {
    const { call, origin } = await connectTools({ clock: 'real' })
    await call('fail_tasks', { outcome: 'stuck' })
    await createTask(origin)
    const { all_ended: ended, still_running: running } = await call('wait_for_tasks', { timeout_seconds: 0 })
    expect([ended, running]).toEqual([
      false,
      [expect.objectContaining({ plan: { outcome: 'stuck', rule: 'fail_tasks 1' } })],
    ])
  })

  it('does not wait for a manual clock', async () => {
    const { failure, origin } = await connectTools()
    await createTask(origin)
    expect(await failure('wait_for_tasks')).toContain('Call control_clock with {"run_until_idle": true}')
    expect(await failure('wait_for_tasks', { ids: 'task_1' })).toContain('`ids` must be a list of task ids')
  })
})

describe('results', () => {
  it('have pages, and never megabytes', async () => {
    const { call, origin, client } = await connectTools({ scenario: 'instant' })
    for (let index = 0; index < 3; index += 1)
      await createTask(origin, 'acme/image-1', `${index} ${'x'.repeat(12_000)}`)
    const first = await call('list_tasks', { limit: 2 })
    expect(first).toMatchObject({ has_more: true })
    const second = await call('list_tasks', { limit: 2, after: first.next_cursor })
    expect([second.data.length, second.has_more]).toEqual([1, false])
    const { data } = await call('list_requests')
    const { content } = await client.callTool({ name: 'get_request', arguments: { id: data[0].id } })
    expect(JSON.stringify(content).length).toBeLessThan(20_000)
    expect(JSON.stringify(content)).toContain('more characters]')
  })

  it('contain no whole secret', async () => {
    const { call, origin, sim } = await connectTools({
      scenario: 'instant',
      receivers: [`${HOOKS}?token=secret_of_the_receiver`],
      webhookSecret: 'whsec_secret_of_the_webhooks',
    })
    await createTask(origin)
    await call('control_clock', { run_until_idle: true })
    const { id } = [...sim.tasks.all()][0] ?? { id: '' }
    const { data: requests } = await call('list_requests')
    const { data: deliveries } = await call('list_deliveries')
    const texts = [
      ...[
        requests,
        deliveries,
        await call('get_simulator'),
        await call('get_scenario'),
        await call('list_tasks'),
      ],
      await call('get_task', { id }),
      await call('get_request', { id: requests[0].id }),
      await call('get_delivery', { id: deliveries[0].id }),
      await call('write_request', { task: id }),
      await call('write_test', { task: id }),
    ].map((value) => JSON.stringify(value))
    expect(texts.join()).toContain(mask('sk_live_secret_of_the_app'))
    for (const secret of [
      'sk_live_secret_of_the_app',
      'whsec_secret_of_the_webhooks',
      'secret_of_the_receiver',
    ])
      expect(texts.filter((text) => text.includes(secret))).toEqual([])
  })

  it('of a mistake name the remedy, with tools instead of requests', async () => {
    const { failure } = await connectTools()
    expect(await failure('get_task', { idd: 'x' })).toBe(
      'Unknown argument `idd` of get_task: did you mean `id`?',
    )
    expect(await failure('get_task')).toBe('The argument `id` of get_task is missing: The id of the task.')
    expect(await failure('get_delivery', { id: 'dlv_9' })).toContain(
      'List the existing ones at `list_deliveries`',
    )
    expect(await failure('set_scenario', { text: 'kinds: { image: { delai: 1s } }' })).toContain(
      'did you mean `delay`',
    )
    expect(await failure('control_clock', { advance: '1 parsec' })).toContain('`advance` must be')
    expect(await failure('write_test', { task: 'a', finding: 'b' })).toContain(
      'Give one of `request`, `task`',
    )
    expect(await failure('start_simulator')).toContain('--server')
  })
})

describe('the documentation', () => {
  it('is readable by page and section', async () => {
    const { call, failure } = await connectTools()
    const { pages } = await call('read_docs')
    expect(pages).toEqual(expect.arrayContaining(['faults', 'mcp', 'reference/scenario']))
    const section: string = await call('read_docs', { page: 'faults', section: 'Directives' })
    expect(section).toMatch(/^## Directives\n/)
    expect(section).not.toMatch(/^## (?!Directives)/m)
    const start: string = await call('read_docs', { page: 'reference/scenario' })
    const [, next] = /offset (\d+)/.exec(start) ?? []
    expect(await call('read_docs', { page: 'reference/scenario', offset: Number(next) })).not.toBe(start)
    expect(await failure('read_docs', { page: '../package.json' })).toContain(
      'There is no page "../package.json"',
    )
    expect(await failure('read_docs', { page: 'faults', section: 'Nothing' })).toContain('Its sections: ')
  })

  it('is a resource, and so is the schema of scenarios', async () => {
    const { client } = await connectTools()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining([
        'tasksim://schema/scenario',
        'tasksim://docs/faults',
        'tasksim://docs/reference/scenario',
      ]),
    )
    const textOf = async (uri: string) => JSON.stringify(await client.readResource({ uri }))
    expect(await textOf('tasksim://docs/reference/scenario')).toContain('# ')
    expect(await textOf('tasksim://schema/scenario')).toContain('webhooks')
    await expect(client.readResource({ uri: 'tasksim://docs/../package' })).rejects.toThrow()
  })
})
