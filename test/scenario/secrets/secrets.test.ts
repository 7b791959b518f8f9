import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineScenario, type ScenarioInput } from '../../../src/index.js'
import { parseScenario } from '../../../src/scenario/read-text.js'
import { maskText } from '../../../src/scenario/secrets/mask-text.js'
import { Placeholders, placeholdersOf, SecretReplacer } from '../../../src/scenario/secrets/placeholders.js'
import { withSecretsOf } from '../../../src/scenario/secrets/restore.js'

const LONG = 'sk_live_0123456789_alice'
const OTHER = 'sk_live_9876543210_alice'

const masked = (text: string) => maskText(text, placeholdersOf(parseScenario(text)))

describe('the text of a scenario', () => {
  it('has a placeholder for every secret, and keeps everything else', () => {
    const text = `# Who may come in
auth:
  keys: [ ${LONG}, {key: '${OTHER}', credits: 5}, bob ]   # the third one is a guest
capacity: { keys: { ${LONG}: { running: 1 }, 'sk_*': { running: 9 } } }
rate_limits:
  - { key: bob, requests: 5, per: 1m }
faults:
  - when: { key: "${OTHER}" }
    then: 503
rules:
  - { when: { key: sk_live_*_bob }, then: { outcome: failed } }
webhooks:
  secret: >-
    whsec_of_the
    production
  previous_secret: whsec_previous_signing_secret
  receivers:
    - http://localhost:3000/hooks?id=7&token=abc
    - url: http://localhost:3000/hooks?id=7&token=def
      secret: short
  faults:
    - { when: { receiver: "http://localhost:3000/hooks?id=7&token=def", key: bob }, then: lost }
`
    expect(masked(text)).toBe(`# Who may come in
auth:
  keys: [ "sk_...lice", {key: "sk_...lice#2", credits: 5}, "***d4" ]   # the third one is a guest
capacity: { keys: { "sk_...lice": { running: 1 }, 'sk_*': { running: 9 } } }
rate_limits:
  - { key: "***d4", requests: 5, per: 1m }
faults:
  - when: { key: "sk_...lice#2" }
    then: 503
rules:
  - { when: { key: sk_live_*_bob }, then: { outcome: failed } }
webhooks:
  secret: "whs...tion"
  previous_secret: whsec_previous_signing_secret
  receivers:
    - "http://localhost:3000/hooks?id=7&token=***"
    - url: "http://localhost:3000/hooks?id=7&token=***#2"
      secret: "***d5"
  faults:
    - { when: { receiver: "http://localhost:3000/hooks?id=7&token=***#2", key: "***d4" }, then: lost }
`)
  })

  it.each([
    ['a comment', `auth: { keys: [${LONG}] } # ${LONG} is for Alice`],
    ['a description', `description: for ${LONG}\nauth: { keys: [${LONG}] }`],
    ['an escaped scalar', `description: "for sk\\x5flive_0123456789_alice"\nauth: { keys: [${LONG}] }`],
    ['a block scalar', `auth:\n  keys:\n    - key: |-\n        ${LONG}\n      credits: 1\n`],
    ['an anchor', `description: &k ${LONG}\nauth: { keys: [*k] }`],
    ['a short secret behind an anchor', 'description: &k guest\nauth: { keys: [*k, "guest"] }'],
    ['a merged mapping', `webhooks: { receivers: [{ <<: { secret: ${LONG} }, url: "http://x/" }] }`],
    ['a tag', `auth: { keys: [!!str ${LONG}] }`],
    ['JSON', JSON.stringify({ auth: { keys: [LONG] } })],
  ])('shows no secret in %s, and is still a valid scenario', (_, text) => {
    const shown = masked(text)
    expect(shown).not.toMatch(/sk(_|\\x5f)live_0123456789_alice|guest/)
    expect(() => parseScenario(shown)).not.toThrow()
  })
})

const secret = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom(
    '***',
    '***#2',
    '***d4',
    '***d4#2',
    'sk_...lice',
    'sk_...lice#2',
    LONG,
    OTHER,
    'bob',
    '- a: b # c',
    '__proto__',
  ),
)
const anyScenario = fc
  .record({
    keys: fc.uniqueArray(secret, { minLength: 1, maxLength: 6 }),
    secret,
    pool: secret,
    token: fc.stringMatching(/^[0-9a-f]{0,9}$/),
  })
  .map(
    ({ keys, secret, pool, token }): ScenarioInput => ({
      auth: { keys: keys.map((key, index) => (index % 2 === 0 ? key : { key, credits: index })) },
      capacity: { keys: pool === '__proto__' ? {} : { [pool]: { running: 1 } } },
      webhooks: {
        secret,
        receivers: [
          ...[
            `http://localhost/?token=a${token}`,
            'http://localhost/?token=a',
            'http://localhost/?token=***',
          ],
          ...[`http://localhost/${LONG}?token=${token}`, `http://localhost/${LONG}`],
        ],
      },
    }),
  )

describe('a scenario that is saved with its placeholders', () => {
  it('is the same as before, for any secrets', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario, async (input) => {
        const scenario = defineScenario(input)
        const shown = maskText(scenario.text ?? '', placeholdersOf(scenario))
        const restored = await withSecretsOf(scenario, parseScenario(shown, scenario.name))
        expect(restored.layer).toEqual(scenario.layer)
        expect(maskText(restored.text ?? '', placeholdersOf(restored))).toBe(shown)
      }),
    )
  })

  it('keeps each secret if the order of the keys changes, and if a key moves', async () => {
    const scenario = defineScenario({ auth: { keys: ['alice', 'bob', LONG, OTHER] } })
    const text =
      'auth: { keys: ["sk_...lice#2", { key: "***d4" }, sk_...lice] }\nwebhooks: { secret: "***e7" }'
    const restored = await withSecretsOf(scenario, parseScenario(text))
    expect(restored.auth.keys).toEqual([{ key: OTHER }, { key: 'bob' }, { key: LONG }])
    expect(restored.webhooks.secret).toBe('alice')
    expect(restored.text).toContain(`["${OTHER}", { key: "bob" }, "${LONG}"]`)
  })

  it.each([
    ['auth: { keys: ["sk_...none"] }', 'auth.keys[0].key', 1, 16],
    ['auth:\n  keys:\n    - "***#3"', 'auth.keys[0].key', 3, 7],
    [
      'capacity: { keys: { "***e7": { running: 1 }, "***#9": { running: 1 } } }',
      'capacity.keys["***#9"]',
      1,
      55,
    ],
    ['webhooks: { receivers: ["http://x/?token=***"] }', 'webhooks.receivers[0]', 1, 25],
    ['description: for sk_...lice', 'description', 1, 14],
    ['defaults: { output: { seen: sk_...lice#2 } }', 'defaults.output.seen', 1, 29],
    ['faults: [{ then: { status: 503, message: "It is sk_...lice." } }]', 'faults[0].then.message', 1, 42],
  ])(
    'is rejected if a placeholder cannot be replaced, without revealing a secret: %s',
    async (text, path, line, column) => {
      const scenario = defineScenario({ auth: { keys: ['alice', LONG, OTHER] } })
      const refused = await withSecretsOf(scenario, parseScenario(text)).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(refused).toMatchObject({ name: 'ScenarioError', mistakes: [{ path, line, column }] })
      expect(String(refused)).not.toMatch(/live|alice/)
      expect(String(refused)).toMatch(/placeholder of a masked secret/)
    },
  )
})

it('the text of a scenario has one placeholder for each secret, and reveals no other secret through it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(secret, { minLength: 1, maxLength: 20 }), (keys) => {
      const placeholders = new Placeholders(defineScenario({ auth: { keys: keys as [string] } }).layer)
      const shown = keys.map((key) => placeholders.of(key) ?? key)
      expect(new Set(shown).size).toBe(keys.length)
      expect(shown.map((placeholder) => placeholders.secretOf(placeholder, 'secret'))).toEqual(keys)
    }),
  )
})

it('every long secret in a text is masked', () => {
  const word = fc.stringMatching(/^[ab]{12,14}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.array(word), (secrets, words) => {
      const hidden = new SecretReplacer()
      for (const one of secrets) hidden.add(one, '***')
      const shown = hidden.replaceIn(words.join(' '))
      for (const one of secrets) expect(shown).not.toContain(one)
      const plain = words.filter((one) => !secrets.some((known) => one.includes(known)))
      expect(plain.every((one) => shown.includes(one))).toBe(true)
    }),
  )
})
