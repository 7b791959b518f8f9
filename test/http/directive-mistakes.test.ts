import { expect, it } from 'vitest'
import { runs } from '../support/deep.js'
import { describeHosts, IMAGE, read } from './hosts.js'

/** Just below the largest body in deep tests. */
const LONG = runs(1_000_000, 9_000_000)

const LIST = '/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

describeHosts('an invalid directive', (open) => {
  it.each([
    ['outcom=failed', 'Unknown key "outcom"; did you mean `outcome`?'],
    ['zzzzzzzz=1', 'Unknown key "zzzzzzzz"; expected `outcome`, `error`'],
    ['constructor=1', 'Unknown key "constructor"'],
    [
      'outcome=exploded',
      'Expected `outcome` to be `succeeded`, `failed`, `canceled` or `stuck`, got "exploded"',
    ],
    ['outcome=', 'Expected `outcome` to be'],
    ['error=', 'Expected `error` to be a code such as content_policy, got ""'],
    ['after=soon', 'Expected `after` to be a duration such as 250ms'],
    ['after=-1s', 'Expected `after` to be a duration'],
    ['polls=0', 'Expected `polls` to be a whole number from 1 to 1000000, got "0"'],
    ['polls=1.5', 'Expected `polls` to be a whole number'],
    ['cost=$3', 'Expected `cost` to be US dollars such as 0.25, got "$3"'],
    ['cost=-1', 'Expected `cost` to be US dollars'],
    ['fault=200', 'Expected `fault` to be a status from 400 to 599, `pass`, `reset`'],
    ['fault=503,', 'Expected `fault` to be a status from 400 to 599'],
    ['fault=503,rest', 'got "503,rest"'],
    ['fault=429*0', 'got "429*0"'],
    ['fault=429*999,429*2', '429*2 stands for two of them, got "429*999,429*2"'],
    ['fault=429 retry_after=soon', 'Expected `retry_after` to be a duration'],
    ['retry_after=5s', '`retry_after` needs a status in `fault`, such as fault=429'],
    ['fault=lost retry_after=5s', '`retry_after` needs a status in `fault`'],
    ['webhook=twice,thrice', 'Expected `webhook` to be'],
    ['webhook_delay=late', 'Expected `webhook_delay` to be a duration'],
    ['outcome=failed outcome=failed', 'The key `outcome` is given twice'],
    ['after=1s polls=2', '`after` cannot be combined with `polls`: give one of them'],
    ['outcome=stuck error=x', '`error` and `message` need outcome=failed'],
    ['outcome failed', 'Expected key=value, such as outcome=failed, got "outcome failed"'],
    ['outcome=failed!message="x"y', 'Expected key=value'],
    ['message="no end', 'Expected key=value, such as outcome=failed, got "message=\\"no end"'],
  ])('is rejected with 400, which describes the mistake: %s', async (directive, reason) => {
    const { post, send, get } = await open()
    const body = JSON.stringify(IMAGE)
    const headers = { ...HEADERS, 'x-sim': directive }
    const byHeader = await read(await send(LIST, { method: 'POST', headers, body }))
    const byPrompt = await post(LIST, { model: 'm', input: { prompt: `waves [[sim ${directive}]]` } })
    for (const [answer, param] of [
      [byHeader, 'X-Sim'],
      [byPrompt, 'input.prompt'],
    ] as const) {
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param } } })
      expect(answer.body.error.message).toMatch(/[^?.][?.]$/)
      expect(answer.body.error.message).toContain(`The directive in \`${param}\` cannot be followed: `)
      expect(answer.body.error.message).toContain(reason)
    }
    expect((await get(LIST)).body.data).toEqual([])
  })

  it('is reported with the path of its field', async () => {
    const { post } = await open()
    const input = { messages: [{ content: 'Hi' }, { content: [{ text: '[[sim nonsense]]' }] }] }
    const { body } = await post(LIST, { model: 'm', input })
    expect(body.error.param).toBe('input.messages.1.content.0.text')
  })

  it('is reported with a shortened path if the path is long', async () => {
    const { post } = await open()
    const { body } = await post(LIST, { model: 'm', input: { ['k'.repeat(1_000_000)]: '[[sim nonsense]]' } })
    expect(body.error.param).toBe(`input.${'k'.repeat(194)}`)
    expect(body.error.message.length).toBeLessThan(400)
  })

  it.each([
    ['message', `message="${'x'.repeat(LONG)}"`],
    ['blanks', `${' '.repeat(LONG)}x`],
  ])('over the length limit is reported with the limit: a long %s', async (_, directive) => {
    const { post } = await open()
    const { status, body } = await post(LIST, { model: 'm', input: { prompt: `[[sim ${directive}]]` } })
    expect(status).toBe(400)
    expect(body.error.message).toMatch(/It has [19]0\d+ characters, but the limit is 4000: shorten it\.$/)
  })

  it('without an end is reported with the missing part', async () => {
    const { post } = await open()
    const { status, body } = await post(LIST, { model: 'm', input: { prompt: 'x [[sim outcome=failed]' } })
    expect(status).toBe(400)
    expect(body.error.message).toContain('does not end: write ]] after it')
  })

  it('is quoted in shortened form, whatever its length', async () => {
    const { post } = await open()
    const { body } = await post(LIST, { model: 'm', input: { prompt: `[[sim ${'x'.repeat(5_000)}=1]]` } })
    expect(body.error.message.length).toBeLessThan(400)
  })

  it('is ignored if directives are off, like a valid one', async () => {
    const { sim, post, send, get } = await open({
      scenario: { directives: 'off', defaults: { delay: '2s' } },
    })
    const headers = { ...HEADERS, 'x-sim': 'fault=503 outcome=failed' }
    const body = JSON.stringify({ model: 'm', input: { prompt: '[[sim nonsense]] [[sim after=1h]]' } })
    expect((await send(LIST, { method: 'POST', headers, body })).status).toBe(200)
    expect((await post(LIST, { model: 'm', input: { prompt: '[[sim outcome=failed]]' } })).status).toBe(200)
    await sim.clock.advance('2s')
    const { data } = (await get(LIST)).body
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'succeeded'])
  })

  it('is ignored in a body that is not a valid create request', async () => {
    const { post } = await open()
    expect((await post(LIST, '{"input": "[[sim fault=503')).body.error.code).toBe('invalid_json')
    expect((await post(LIST, { model: 3, input: { prompt: 'x' } })).body.error.param).toBe('model')
  })
})
