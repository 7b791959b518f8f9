import { expect, it } from 'vitest'
import { verifySignature } from '../../src/index.js'
import { code, describeClients, IMAGE, refusal } from './describe-clients.js'

const ALICE = 'sk_live_0123456789_alice'
const BOB = 'sk_live_9876543210_bobby'
const SECRET = 'whsec_of_the_production_service'
const LUMA = 'whsec_YW5vdGhlciBzZWNyZXQ='
const TOKEN = 'token-of-the-receiver'
const HOOK = `http://127.0.0.1:9/hook?token=${TOKEN}`
const TEXT = `description: the keys of ${ALICE}
defaults: { delay: 1s }
auth: { keys: [${ALICE}, { key: ${BOB}, credits: 5 }, eve] } # eve is a guest
webhooks:
  secret: ${SECRET}
  receivers: ["${HOOK}"]
dialects: { luma: { secret: ${LUMA} } }
`
const IN_CLEAR = new RegExp([ALICE, BOB, SECRET, LUMA, TOKEN].join('|'))

describeClients('the secrets of a scenario', (open) => {
  it('are masked in the scenario, in the state and in change events', async () => {
    const { control, order, get } = await open()
    const replaced = await control.scenario.replace({ text: TEXT })
    const patched = await control.scenario.patch({ webhooks: { previous_secret: `${SECRET}_2` } })
    await control.scenario.replace({ text: TEXT })
    const sandbox = await control.sandboxes.create({ text: TEXT })
    const within = control.sandboxes.control(sandbox.id)
    await order(IMAGE, ALICE)
    await get('/api/v1/tasks', BOB)
    const shown = JSON.stringify([
      replaced,
      patched,
      await control.scenario.get(),
      await within.scenario.get(),
      await control.state(),
      await within.state(),
      await control.scenario.preview({ text: TEXT, tasks: 1, model: 'acme/image-1' }),
      await control.journal.list(),
      await control.tasks.list(),
      await control.findings(),
      await control.metrics(),
      await control.sandboxes.list(),
    ])
    expect(shown).not.toMatch(new RegExp([ALICE, BOB, SECRET, LUMA].join('|')))
    expect(replaced.text).not.toMatch(IN_CLEAR)
    expect(replaced.text).toContain(
      'keys: ["sk_...lice", { key: "sk_...obby", credits: 5 }, "***c5"] } # eve is a guest',
    )
    expect(replaced.text).toContain('receivers: ["http://127.0.0.1:9/hook?token=***"]')
  })

  it('are kept when an editor saves the masked text with other changes', async () => {
    const { control, order, get, sim } = await open()
    await control.scenario.replace({ text: TEXT.replace(/^description.*\n/, '') })
    const { text } = await control.scenario.get()
    const edited = String(text).replace('delay: 1s', 'delay: 7s')
    const { text: after } = await control.scenario.replace({ text: edited })
    expect(after).toBe(edited)
    expect(sim.scenario.auth.keys).toEqual([{ key: ALICE }, { key: BOB, credits: 5 }, { key: 'eve' }])
    expect(sim.scenario.webhooks.receivers).toEqual([{ url: HOOK }])
    expect(sim.scenario.text).toContain('eve is a guest')
    const id = await order(IMAGE, ALICE)
    expect((await control.tasks.get(id)).plan.ends_at).toBe('2026-01-01T00:00:07.000Z')
    expect((await get('/api/v1/tasks', 'sk_...lice')).error.code).toBe('unauthorized')
    expect((await get('/api/v1/tasks', 'eve')).data).toEqual([])
    expect(sim.scenario.webhooks.secret).toBe(SECRET)
  })

  it('are kept in an object, in a patch, in a preview and in a sandbox', async () => {
    const { control, sim } = await open({ scenario: { auth: { keys: [ALICE, 'eve'] } } })
    await control.scenario.patch({ auth: { keys: [{ key: '***c5', credits: 1 }, 'sk_...lice', BOB] } })
    expect(sim.scenario.auth.keys).toEqual([{ key: 'eve', credits: 1 }, { key: ALICE }, { key: BOB }])
    const scenario = { auth: { keys: ['sk_...obby'] }, webhooks: { secret: 'sk_...lice' } }
    await control.scenario.preview({ scenario, tasks: 1, model: 'acme/image-1' })
    const { id } = await control.sandboxes.create({ scenario })
    expect(sim.sandboxes.get(id)?.sim.scenario.auth.keys).toEqual([{ key: BOB }])
    await control.scenario.replace({ scenario })
    expect(sim.scenario.auth.keys).toEqual([{ key: BOB }])
    expect(sim.scenario.webhooks.secret).toBe(ALICE)
  })

  it('sign webhooks after the masked scenario is saved', async () => {
    const posts: Request[] = []
    const receiver = (request: Request) => {
      posts.push(request)
      return new Response()
    }
    const { control, order } = await open({
      scenario: { defaults: { delay: '1s' }, webhooks: { secret: SECRET } },
      receivers: [receiver],
    })
    await control.scenario.replace({ text: String((await control.scenario.get()).text) })
    await order()
    await control.clock.advance('1s')
    const [post] = posts
    const signature = post?.headers.get('x-service-signature') ?? ''
    expect(await verifySignature(await (post as Request).text(), signature, SECRET)).toBe(true)
  })

  it.each([
    [{ text: 'auth: { keys: ["sk_...none"] }' }, 'auth.keys[0].key'],
    [{ scenario: { auth: { keys: ['***'] } } }, 'auth.keys[0].key'],
    [{ text: 'defaults: { output: { seen: "sk_...lice" } }' }, 'defaults.output.seen'],
  ])('reject a placeholder without a matching secret: %j; nothing changes', async (choice, path) => {
    const { control, sim } = await open({ scenario: { auth: { keys: [ALICE] } } })
    const before = sim.scenario
    for (const call of [() => control.scenario.replace(choice), () => control.scenario.preview(choice)]) {
      const { status, details, message } = await refusal(call())
      expect([status, details['code']]).toEqual([400, 'invalid_scenario'])
      expect(details['mistakes']).toMatchObject([{ path, message: expect.stringContaining('placeholder') }])
      expect(message).not.toMatch(IN_CLEAR)
    }
    expect(await code(control.scenario.patch({ webhooks: { secret: '***#2' } }))).toBe('400 invalid_scenario')
    expect(sim.scenario).toBe(before)
  })

  it('do not appear in the error about a mistake next to them', async () => {
    const { control } = await open({ scenario: { auth: { keys: [ALICE] } } })
    for (const text of [
      'auth: { keys: [{ key: "sk_...lice", credits: none }] }',
      'auth: { keys: { key: "sk_...lice" } }',
      'auth: { keys: ["sk_...lice"] }\ndefaults: { delay: "sk_...lice" }',
    ]) {
      const { status, details, message } = await refusal(control.scenario.replace({ text }))
      expect([status, details['code']]).toEqual([400, 'invalid_scenario'])
      expect(message + JSON.stringify(details)).not.toMatch(IN_CLEAR)
    }
  })
})
