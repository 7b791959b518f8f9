import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { CLIENTS } from '../../src/control/code/clients.js'
import { JAVASCRIPT, literal, PYTHON } from '../../src/control/code/literal.js'
import { requestCode } from '../../src/control/code/request-code.js'
import { createForms } from '../../src/dialects/requests/create-form.js'
import { createRequest } from '../../src/dialects/requests/create-request.js'
import { exampleInput, exampleModel } from '../../src/dialects/requests/example-order.js'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { runs, sampleOf } from '../support/deep.js'
import { isInstalled } from '../support/installed-client.js'

/** Fast-check's own unit for all characters takes a second to build. */
const stringUnit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code))
const anyJson = fc.jsonValue({ stringUnit })

const TRICKY = `it's a "mill" \`\${x}\` $API_KEY \\n \\ '''\n\r\t\u2028\u0000\ud83d\ude00 é [[x]]`

it('JavaScript reads every value from its literal', () => {
  const property = fc.property(anyJson, (value) => {
    const code = literal(value as never, JAVASCRIPT)
    expect(JSON.stringify(new Function(`return (${code})`)())).toBe(JSON.stringify(value))
  })
  fc.assert(property, { numRuns: runs(20, 200) })
  const own = JSON.parse(`{"__proto__": {"a": 1}, "a-b": ${JSON.stringify([TRICKY])}, "c": {}}`)
  const code = literal(own, JAVASCRIPT)
  expect(JSON.stringify(new Function(`return (${code})`)())).toBe(JSON.stringify(own))
})

it('Python literals are those of JSON with other words, and never span lines within a string', () => {
  const property = fc.property(anyJson, (value) => {
    const strings: string[] = []
    const code = literal(value as never, PYTHON).replace(/"(?:[^"\\]|\\.)*"/g, (text) => {
      strings.push(text)
      return `@${strings.length - 1}@`
    })
    const json = code
      .replaceAll('True', 'true')
      .replaceAll('False', 'false')
      .replaceAll('None', 'null')
      .replace(/,(?=\s*[\]}])/g, '')
      .replace(/@(\d+)@/g, (_, index) => strings[index] ?? '')
    expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(value))
    for (const text of strings) expect(text).not.toMatch(/[\n\r]/)
  })
  fc.assert(property)
})

it('a key that is secret becomes a variable of the environment, and no other text does', async () => {
  const sim = createSimulator()
  const dialect = await sim.dialects.load('luma')
  const order = { model: 'ray-2', input: { prompt: TRICKY }, webhookUrl: undefined }
  const request = createRequest(dialect, order, { origin: 'http://127.0.0.1:4010', key: '$API_KEY' })
  const [curl, typescript, python, sdk] = requestCode(request, dialect).map(({ text }) => text)
  expect(curl).toContain('-H "Authorization: Bearer $API_KEY"')
  expect(typescript).toContain(['Authorization: `Bearer $', '{process.env.API_KEY}`'].join(''))
  expect(python).toContain('"Authorization": "Bearer " + os.environ["API_KEY"]')
  expect(python).toMatch(/^import json\nimport os\nimport urllib\.request\n/)
  expect(sdk).toContain('authToken: process.env.API_KEY')
  for (const code of [typescript, sdk]) expect(code?.match(/process\.env/g)).toHaveLength(1)
  sim.close()
})

/** Runs a module in this process, so that no test starts dozens of processes. */
async function run(code: string): Promise<void> {
  const { fetch } = globalThis
  const body = code
    .replace(/^import \{ (\w+) \} from ('.+')$/m, 'const { $1 } = await load($2)')
    .replace(/^import (\w+) from ('.+')$/m, 'const { default: $1 } = await load($2)')
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>
  try {
    await new AsyncFunction('load', 'console', body)((name: string) => import(/* @vite-ignore */ name), {
      log: () => undefined,
    })
  } finally {
    globalThis.fetch = fetch
  }
}

/** In a form, every line ends with CRLF. */
const newlines = (json: string) => json.replace(/\\r\\n|\\r/g, '\\n')

const NAMES = createSimulator().dialects.names

it.each(sampleOf(2, NAMES))(
  'the code of every create request of %s creates the same task',
  { timeout: 60_000 },
  async (name) => {
    const sim = createSimulator({ scenario: { defaults: { delay: '0s' } } })
    const { baseUrl, close } = await listen(sim, { port: 0 })
    onTestFinished(async () => {
      sim.close()
      await close()
    })
    const dialect = await sim.dialects.load(name)
    const forms = createForms(dialect).filter(({ source }) => !source?.includes('{{path.'))
    for (const form of forms) {
      const order = { model: name === 'fal' ? 'acme/image-1' : exampleModel(form), kind: form.kind }
      const request = createRequest(
        dialect,
        {
          ...order,
          // An order of a transcript needs no text.
          input: { ...exampleInput(form, order, TRICKY), ...(name === 'assemblyai' && { prompt: TRICKY }) },
          webhookUrl: 'http://127.0.0.1:9/?a=1&b=%20',
          extra: { path: form.path },
        },
        { origin: new URL(baseUrl).origin, key: 'sk_live_local' },
      )
      const headers = { ...request.headers, 'X-Sim': String.raw`outcome=failed message="not \"this\" way"` }
      const codes = requestCode({ ...request, headers }, dialect).filter(({ language }) =>
        ['typescript', 'sdk'].includes(language),
      )
      for (const { language, label, text } of codes) {
        if (language === 'sdk' && !isInstalled(label)) continue
        // A failed task makes some clients throw.
        const error = await run(text).then(() => undefined, String)
        const [task] = (await sim.control.tasks.list({ limit: 1 })).data
        expect(task?.plan.error?.message, `${language} ${form.path} ${error}\n${text}`).toBe('not "this" way')
        expect(newlines(JSON.stringify(task?.input))).toContain(newlines(JSON.stringify(TRICKY).slice(1, -1)))
        await sim.control.reset()
      }
      const isStream = form.path.endsWith('/stream')
      const isInProject = form.path.includes('{project}')
      const hasClient = CLIENTS[name] !== undefined
      expect(codes).toHaveLength(isStream || isInProject || !hasClient ? 1 : 2)
    }
  },
)
