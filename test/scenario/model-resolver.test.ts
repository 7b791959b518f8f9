import { expect, test } from 'vitest'
import { ModelResolver } from '../../src/engine/scenario/model-resolver.js'
import { Planner } from '../../src/engine/tasks/planner.js'
import { type JsonObject, type Kind, parseScenario } from '../../src/index.js'
import { builtInKinds } from '../../src/kinds/produce.js'

const planner = (yaml: string) => new Planner(parseScenario(yaml), builtInKinds)
const modelsOf = (yaml: string) => new ModelResolver(parseScenario(yaml))

/** What holds for a model, whatever the input, without the parts that a test does not set. */
function behaviorOf(models: ModelResolver, id: string, kind: Kind = 'image') {
  return models.behavior(kind, models.find(id), undefined)
}

test('an entry for the exact id overrides every pattern, at any position', () => {
  const models = modelsOf('models: { "*": { delay: 1s }, "acme/*": { delay: 2s }, acme/a: { delay: 3s } }')
  expect(behaviorOf(models, 'acme/a').delay).toBe(3_000)
})

test('of several matching patterns the first one in the file applies', () => {
  const models = modelsOf('models: { "*/a": { delay: 1s }, "acme/*": { delay: 2s } }')
  expect(behaviorOf(models, 'acme/a').delay).toBe(1_000)
  expect(behaviorOf(models, 'acme/b').delay).toBe(2_000)
})

test('the next matching pattern supplies the fields that an entry omits', () => {
  const models = modelsOf(`
models:
  "acme/*": { delay: 2s, price: { per_image: 2 } }
  "*": { delay: 3s, price: { per_image: 3 }, failures: { rate: 0.3 }, kind: tool }
  acme/a: { delay: 1s }
`)
  const behavior = { delay: 1_000, price: { per_image: 2 }, failures: { rate: 0.3 } }
  expect(behaviorOf(models, 'acme/a')).toMatchObject(behavior)
  expect(models.find('acme/a').kind).toBe('tool')
})

test('a model overrides its kind, its kind the defaults, and the defaults the built-in values', () => {
  const models = modelsOf(`
defaults: { delay: 1s, failures: { rate: 0.1 }, price: { per_task: 1 } }
kinds: { image: { delay: 2s, failures: { rate: 0.2 } } }
models: { acme/a: { delay: 3s } }
`)
  expect(behaviorOf(models, 'acme/a')).toEqual({
    delay: 3_000,
    queueing: 0,
    failures: { rate: 0.2 },
    price: { per_task: 1 },
    output: undefined,
  })
  expect(behaviorOf(modelsOf(''), 'acme/a')).toEqual({
    delay: 3_000,
    queueing: 0,
    failures: { rate: 0 },
    price: {},
    output: undefined,
  })
})

test('the most specific setting of the LLM reply applies as a whole', () => {
  const models = modelsOf(`
defaults: { reply: { text: default } }
kinds: { llm: { reply: { text: kind, calls: never } } }
models: { acme/a: { reply: { calls: { tool: search } } } }
`)
  const replyOf = (id: string, kind: Kind) => behaviorOf(models, id, kind).reply
  expect(replyOf('acme/a', 'llm')).toEqual({ calls: { tool: 'search' } })
  expect(replyOf('acme/b', 'llm')).toEqual({ text: 'kind', calls: 'never' })
  expect(replyOf('acme/b', 'tool')).toEqual({ text: 'default' })
  expect(behaviorOf(modelsOf(''), 'acme/a').reply).toBeUndefined()
})

test('a rule overrides everything else', () => {
  const models = modelsOf('models: { acme/a: { delay: 3s, price: { per_task: 1 } } }')
  const settled = models.behavior('image', models.find('acme/a'), { delay: 5 })
  expect(settled).toMatchObject({ delay: 5, price: { per_task: 1 } })
})

test.each(['acme.a', 'acme/aa', 'xacme/a', 'acme/a\n'])('%j is not matched by acme/a', (id) => {
  const models = modelsOf('models: { acme/a: { delay: 9s } }')
  expect(behaviorOf(models, id).delay).toBe(3_000)
})

test('a star matches any characters, including none and slashes; all others match themselves', () => {
  const models = modelsOf('models: { "a*/v1.5+": { delay: 9s } }')
  const matched = ['a/v1.5+', 'acme/x/v1.5+', 'acme/v1x5+', 'acme/v1.55'].map(
    (id) => behaviorOf(models, id).delay,
  )
  expect(matched).toEqual([9_000, 9_000, 3_000, 3_000])
})

test.each<[string, JsonObject, Kind]>([
  ['acme/video-1', {}, 'video'],
  ['acme/speech-1', {}, 'audio'],
  ['acme/upscale', {}, 'tool'],
  ['acme/composer-2.5', {}, 'llm'],
  ['acme/composer-2.5-fast', {}, 'llm'],
  ['acme/image-1', { duration: 5 }, 'image'],
  ['acme/x', { messages: [] }, 'llm'],
  ['acme/x', { duration: 5 }, 'video'],
  ['acme/x', { messages: [], duration: 5 }, 'llm'],
  ['acme/x', {}, 'image'],
])('the kind of %s with %j is guessed to be %s', (id, input, kind) => {
  expect(planner('').kindOf(id, input)).toBe(kind)
})

test('the kind in the scenario overrides the guess of the catalog', () => {
  expect(planner('models: { "acme/*": { kind: audio } }').kindOf('acme/video-1', { duration: 5 })).toBe(
    'audio',
  )
})

test('a model is listed only by the scenario, not by the catalog', () => {
  const models = modelsOf('models: { "acme/*": {}, b: {} }')
  const ids = ['acme/video-1', 'b', 'other/composer-2.5', 'constructor', '__proto__']
  expect(ids.map((id) => models.find(id).listed)).toEqual([true, true, false, false, false])
})
