import fc from 'fast-check'

/** Values, some of which are valid for one of the fields or parameters. */
export const near: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    ...[0, -1, 1, 20, 1e9, 1e308, 0.1, true, false, null, '', 'x', {}, [], '1s', '0s', '100d', '-1s', '1e9d'],
    ...['succeeded', 'failed', 'canceled', 'stuck', 'processing', 'image', 'video', 'llm', 'real', 'manual'],
    ...[
      '2026-02-01T00:00:00Z',
      '+275760-09-13T00:00:00.000Z',
      '-271821-04-20T00:00:00Z',
      '0000-01-01',
      'flaky',
    ],
    ...[
      'http://hook.invalid/',
      'http://[',
      'task.failed',
      'request',
      '$task',
      '$sandbox',
      '__proto__',
      '../x',
    ],
    ...['dlv_00000001', 'sim.state', '\u0000', '\ud800', '💥'],
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

const some = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, near])), { requiredKeys: [] })

const model = fc.oneof(
  fc.constantFrom('acme/image-1', 'acme/video-1', 'acme/composer-2.5', 'm', 'audio'),
  near,
)

const input = fc.oneof(
  some('prompt', 'n', 'num_images', 'duration', 'size', 'width', 'height', 'aspect_ratio', 'format', 'seed'),
  fc.record({
    messages: fc.oneof(fc.constant([{ role: 'user', content: 'hello' }]), near),
    tools: fc.oneof(
      fc.constant([{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]),
      near,
    ),
    max_tokens: near,
  }),
  near,
)

/** Scenarios, most of them with a mistake. */
export const SCENARIOS = fc.oneof(
  fc.record({ name: fc.constantFrom('flaky', 'default', 'stuck', 'chaos', 'instant', 'none', '__proto__') }),
  fc.record({
    text: fc.oneof(
      fc.constantFrom('defaults: { delay: 1s }', 'a: [', '&a [*a]', '\t', 'extends: x'),
      fc.string(),
    ),
  }),
  fc.record({
    scenario: fc.record({ defaults: some('delay', 'failures', 'files', 'price') }, { requiredKeys: [] }),
  }),
  fc.record({
    scenario: some(
      'defaults',
      'kinds',
      'models',
      'rules',
      'faults',
      'webhooks',
      'api',
      'auth',
      'capacity',
      'outputs',
    ),
  }),
)

/** Bodies similar to those that the operations accept. */
export const NEAR_BODIES: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ model, input }) },
  { weight: 2, arbitrary: fc.record({ model, input, webhook_url: near }) },
  some('advance', 'to', 'run_until_idle', 'mode', 'speed'),
  fc.oneof(some('advance'), some('to'), some('run_until_idle'), some('mode', 'speed')),
  some('status', 'error'),
  some('url', 'secret', 'events', 'retries', 'timeout', 'ordered'),
  some('event', 'url'),
  some('name', 'seed', 'clock', 'speed', 'start', 'idle', 'scenario', 'text'),
  some('defaults', 'outputs', 'api'),
)

const aimAt = (method: string, path: string, value: fc.Arbitrary<unknown>) =>
  value.map((body) => ({ method, path, body: utf8.encode(JSON.stringify(body)) }))

const utf8 = new TextEncoder()

/** Requests whose body fits their operation. Most pass validation. */
export const AIMED = fc.oneof(
  {
    weight: 4,
    arbitrary: aimAt(
      'POST',
      '/api/v1/tasks',
      fc.record({ model, input }, { requiredKeys: ['model', 'input'] }),
    ),
  },
  aimAt(
    'POST',
    '/v1/tasks',
    fc.record({ model, input, webhook_url: fc.constantFrom('http://hook.invalid/', null) }),
  ),
  aimAt('GET', '/v1/task/$task', fc.constant({})),
  aimAt('POST', '/v1/tasks/$task/cancel', fc.constant({})),
  aimAt(
    'POST',
    '/_sim/clock',
    fc.oneof(some('advance'), some('to'), some('run_until_idle'), some('mode', 'speed')),
  ),
  aimAt('POST', '/_sim/tasks/$task/finish', fc.oneof(fc.constant({}), some('status', 'error'))),
  aimAt('POST', '/_sim/tasks/$task/hold', fc.constant({})),
  aimAt('POST', '/_sim/tasks/$task/release', fc.constant({})),
  aimAt('PUT', '/_sim/scenario', SCENARIOS),
  aimAt(
    'PATCH',
    '/_sim/scenario',
    some('defaults', 'outputs', 'api', 'faults', 'auth', 'capacity', 'extends'),
  ),
  aimAt('POST', '/_sim/receivers', fc.record({ url: fc.oneof(fc.webUrl(), near), ordered: fc.boolean() })),
  aimAt(
    'POST',
    '/_sim/webhooks/trigger',
    fc.record({ event: fc.constantFrom('task.failed', 'task.succeeded'), url: fc.webUrl() }),
  ),
  aimAt(
    'POST',
    '/_sim/sandboxes',
    fc.oneof(
      fc.constant({}),
      some('name', 'seed'),
      some('clock', 'speed', 'start', 'idle'),
      some('scenario', 'text'),
    ),
  ),
)
