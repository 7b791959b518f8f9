import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { describeHosts } from './hosts.js'

const MODEL = 'acme/composer-2.5'
const say = (content: string) => [{ role: 'user', content }]
const parameters = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer', minimum: 1, maximum: 14 } },
  required: ['city', 'days'],
  additionalProperties: false,
}
const weather = { type: 'function', function: { name: 'get_weather', description: 'Tells it.', parameters } }

describeHosts('an LLM', (open) => {
  async function ask(input: object, scenario: string | ScenarioInput = 'llm') {
    const { sim, get, post } = await open({ scenario })
    const { body: task } = await post('/api/v1/tasks', { model: MODEL, input })
    await sim.clock.advance('1h')
    return (await get(`/api/v1/tasks/${task.id}`)).body
  }

  it('refers to the conversation, and is billed by its tokens', async () => {
    const { status, output, cost_usd } = await ask({ messages: say('Say hello.'), temperature: 2 })
    expect(status).toBe('succeeded')
    expect(output.message).toEqual({ role: 'assistant', content: expect.stringContaining('“Say hello”') })
    expect(output.finish_reason).toBe('stop')
    const { input_tokens, output_tokens, total_tokens } = output.usage
    expect(total_tokens).toBe(input_tokens + output_tokens)
    expect(cost_usd).toBeCloseTo((input_tokens * 3) / 1e6, 9)
  })

  it('rejects a bare prompt and names the setting that accepts one', async () => {
    const { post } = await open()
    const { status, body } = await post('/api/v1/tasks', { model: MODEL, input: { prompt: 'Say hello.' } })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid_request', param: 'input.messages' })
    expect(body.error.message).toContain('`api.validation: lenient`')
  })

  it('accepts a bare prompt as a conversation if validation is lenient', async () => {
    const scenario: ScenarioInput = { extends: 'llm', api: { validation: 'lenient' } }
    expect((await ask({ prompt: 'Say hello.' }, scenario)).output.message.content).toContain('“Say hello”')
    const { post } = await open({ scenario })
    for (const input of [{}, { prompt: 7 }, { messages: [], prompt: 'Hello' }])
      expect((await post('/api/v1/tasks', { model: MODEL, input })).status).toBe(400)
  })

  it.each(['none', 'minimal', 'low', 'xhigh', 'as hard as it gets', 'constructor'])(
    'accepts the reasoning effort %j',
    async (effort) => {
      const { usage } = (await ask({ messages: say('Think.'), reasoning_effort: effort })).output
      expect(usage.reasoning_tokens).toEqual(effort === 'none' ? 0 : expect.any(Number))
    },
  )

  it('bills reasoning as output', async () => {
    const scenario = { kinds: { llm: { price: { per_million_output_tokens: 1_000 } } } }
    const models = { [MODEL]: { price: scenario.kinds.llm.price } }
    const { output, cost_usd } = await ask({ messages: say('Think.'), reasoning_effort: 'low' }, { models })
    const { reasoning_tokens, output_tokens } = output.usage
    expect(reasoning_tokens).toBeGreaterThan(0)
    expect(output_tokens).toBeGreaterThan(reasoning_tokens)
    expect(cost_usd).toBeCloseTo(output_tokens / 1_000, 6)
  })

  it('calls a tool that the message names, and refers to its result', async () => {
    const first = await ask({ messages: say('Ask get_weather about Paris.'), tools: [weather] })
    expect(first.output.finish_reason).toBe('tool_calls')
    const { message } = first.output
    expect(message.content).toBeNull()
    const [call] = message.tool_calls
    expect(call.function.name).toBe('get_weather')
    const validate = new Ajv().compile(parameters)
    expect(validate(JSON.parse(call.function.arguments)), call.function.arguments).toBe(true)
    const result = { role: 'tool', tool_call_id: call.id, content: '{"rain": true}' }
    const messages = [...first.input.messages, message, result]
    const second = await ask({ messages, tools: [weather] })
    expect(second.output.finish_reason).toBe('stop')
    expect(second.output.message.tool_calls).toBeUndefined()
  })

  it('uses the most specific setting of the scenario', async () => {
    const scenario: ScenarioInput = {
      defaults: { reply: { calls: 'never' } },
      kinds: { llm: { reply: { text: 'kind' } } },
      models: { 'acme/*': { reply: { text: 'model: {{last_user_message}}', calls: 'always' } } },
      rules: [
        {
          when: { input: { 'messages.0.content': { matches: 'bomb' } } },
          then: { reply: { text: 'No.', finish_reason: 'content_filter' } },
        },
      ],
    }
    const answer = async (content: string) =>
      (await ask({ messages: say(content), tools: [weather] }, scenario)).output
    expect((await answer('Hello')).finish_reason).toBe('tool_calls')
    expect(await answer('Build a bomb')).toMatchObject({
      message: { role: 'assistant', content: 'No.' },
      finish_reason: 'content_filter',
    })
    expect((await ask({ messages: say('Hello') }, scenario)).output.message.content).toBe('model: Hello')
  })

  it.each([
    ['messages', {}, 'is missing'],
    ['messages', { messages: null }, 'is missing'],
    ['messages', { prompt: 7 }, 'is missing'],
    ['messages', { messages: 'Hello' }, 'got "Hello"'],
    ['messages', { messages: [] }, 'got []'],
    ['messages', { messages: ['Hello'] }, 'input.messages.0` must'],
    ['messages', { messages: [null] }, 'input.messages.0` must'],
    ['messages', { messages: [{ content: 'Hello' }] }, '0.role` must be one of system,'],
    ['messages', { messages: [{ role: 'robot', content: 'Hello' }] }, 'got "robot"'],
    ['messages', { messages: [{ role: 'user' }] }, '0.content` must'],
    ['messages', { messages: [{ role: 'user', content: 5 }] }, 'got 5'],
    ['messages', { messages: [...say('Hello'), { role: 'user', content: ['Hello'] }] }, '1.content` must'],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'text', text: 5 }] }] }, '0.content` must'],
    ['messages', { messages: [{ role: 'assistant', tool_calls: 'none' }] }, '0.tool_calls` must'],
    ['max_tokens', { max_tokens: 0 }, 'got 0'],
    ['max_tokens', { max_tokens: 1.5 }, 'got 1.5'],
    ['max_tokens', { max_tokens: '10' }, 'got "10"'],
    ['max_tokens', { max_tokens: 1e300 }, 'got 1e+300'],
    ['temperature', { temperature: 2.1 }, 'from 0 to 2'],
    ['temperature', { temperature: -1 }, 'got -1'],
    ['temperature', { temperature: 'hot' }, 'got "hot"'],
    ['messages', { prompt: 'Hello' }, 'is missing'],
    ['reasoning_effort', { reasoning_effort: '' }, 'a text of 1 to 64 characters'],
    ['reasoning_effort', { reasoning_effort: 'x'.repeat(65) }, 'got "xxx'],
    ['reasoning_effort', { reasoning_effort: 3 }, 'got 3'],
    ['tools', { tools: {} }, 'a list of'],
    ['tools', { tools: Array(129).fill(weather) }, 'at most 128'],
    ['tools', { tools: [weather, {}] }, 'input.tools.1` must'],
    ['tools', { tools: [{ type: 'function', function: { name: '' } }] }, 'input.tools.0` must'],
    [
      'tools',
      { tools: [{ name: 'search', parameters: 'none' }] },
      '0.parameters` must be a JSON Schema object',
    ],
    ['tool_choice', { tool_choice: 'sometimes' }, 'got "sometimes"'],
    ['tool_choice', { tool_choice: 'required' }, 'got "required"'],
    ['tool_choice', { tools: [weather], tool_choice: { name: 'search' } }, 'got {"name":"search"}'],
  ])('rejects a bad `%s`: %j', async (param, input, said) => {
    const { post, get } = await open()
    const isAboutMessages = param === 'messages'
    const whole = isAboutMessages ? input : { messages: say('Hello'), ...input }
    const { status, body } = await post('/api/v1/tasks', { model: MODEL, input: whole })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid_request', param: `input.${param}` })
    expect(body.error.message).toContain(said)
    expect((await get('/api/v1/tasks')).body.data).toEqual([])
  })

  it('accepts null for all optional fields, parts of other kinds, and an assistant message without text', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', content: 'rain' },
    ]
    const none = {
      max_tokens: null,
      temperature: null,
      tools: null,
      tool_choice: null,
      reasoning_effort: null,
    }
    expect((await ask({ messages, ...none })).status).toBe('succeeded')
  })

  it('does not restrict inputs of other kinds of models', async () => {
    const { post } = await open()
    const input = { prompt: 'waves', temperature: 'hot', max_tokens: 'many' }
    expect((await post('/api/v1/tasks', { model: 'acme/image-1', input })).status).toBe(200)
  })

  it('is not slowed down by a tool with a hostile schema', async () => {
    const hostile = {
      type: 'object',
      properties: { a: { type: 'array', minItems: 1e9, items: { $ref: '#' } } },
      required: ['a'],
    }
    const tools = [{ name: 'trap', input_schema: hostile }]
    const { status, output } = await ask({ messages: say('trap'), tools })
    expect(status).toBe('succeeded')
    expect(output.message.tool_calls[0].function.arguments.length).toBeLessThan(1_000_000)
  })
})

describeHosts('a tool model', (open) => {
  it('returns the result in the scenario, filled in from the input', async () => {
    const result = {
      url: '{{file}}',
      source: '{{input.image_url}}',
      scale: '{{input.scale}}',
      mode: '{{input.mode}}',
    }
    const output = { result, note: 'scaled {{input.scale}} times' }
    const { sim, get, post } = await open({
      scenario: { models: { 'acme/upscale': { kind: 'tool', output } } },
    })
    const input = { image_url: 'https://example.com/a.png', scale: 4 }
    const { body: task } = await post('/api/v1/tasks', { model: 'acme/upscale', input })
    await sim.clock.advance('1m')
    const { body } = await get(`/api/v1/tasks/${task.id}`)
    expect(body.output).toEqual({
      result: { url: expect.stringContaining('/files/'), source: input.image_url, scale: 4, mode: null },
      note: 'scaled 4 times',
    })
  })
})
