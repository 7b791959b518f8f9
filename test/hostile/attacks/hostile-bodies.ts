/** The largest body that the server accepts, in bytes, minus space for the fields around the input. */
const SPACE = 10 * 1024 * 1024 - 500
/** The number of values that a body may have, minus those around the input. */
const VALUES = 49_900

/** A body of valid JSON, or with a valid beginning, that is slow to process. */
export interface HostileBody {
  readonly name: string
  readonly body: string
  /** The expected status. */
  readonly status: number
}

const list = (count: number, item: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`
const object = (count: number, name: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => `"${name(index)}":1`).join(',')}}`
const fill = (text: string) => text.repeat(Math.floor(SPACE / Buffer.byteLength(text)))
const string = (text: string) => `"${fill(text)}"`
/** Returns numbers in no order. */
const mixed = (index: number) => (index * 40_013) % 1_000_003

const order = (input: string, model = 'acme/image-1') => `{"model":"${model}","input":${input}}`
const inputOf = (value: string) => order(`{"value":${value}}`)

/** Bodies with too many values, which the server rejects before parsing. */
const excessive: Readonly<Record<string, () => string>> = {
  '4,000,000 numbers': () => inputOf(list(4_000_000, () => '1')),
  '600,000 keys': () => order(object(600_000, (index) => `k${index}`)),
  '100,000 objects': () => inputOf(list(100_000, (index) => `{"a":${index}}`)),
  '600,000 objects of a key each': () => inputOf(list(600_000, (index) => `{"k${index}":1}`)),
}

/** Bodies with the maximum number of values and bytes. */
const accepted: Readonly<Record<string, () => string>> = {
  'as many numbers as are accepted': () => inputOf(list(VALUES, (index) => `${index}.5`)),
  'as many keys': () => order(object(VALUES, (index) => `key_${mixed(index)}_${index}`)),
  'as many long keys': () => order(object(VALUES, (index) => `${'k'.repeat(180)}${mixed(index)}_${index}`)),
  'as many long keys in Chinese': () =>
    order(object(VALUES, (index) => `${'鍵'.repeat(60)}${mixed(index)}_${index}`)),
  'as many keys that are numbers': () => order(object(VALUES, (index) => String(index * 40_013))),
  'as many objects': () => inputOf(list(VALUES / 2, (index) => `{"k${index}":1}`)),
  'as many texts with [[sim': () =>
    inputOf(list(VALUES, (index) => `"[[similar ${index} [[sim-${'x'.repeat(170)}"`)),
  '10 MB of ASCII': () => order(`{"prompt":${string('a')}}`),
  '10 MB of é': () => order(`{"prompt":${string('é')}}`),
  '10 MB of Chinese': () => order(`{"prompt":${string('漢')}}`),
  '10 MB of emoji': () => order(`{"prompt":${string('a😀')}}`),
  '10 MB of \\u0041': () => order(`{"prompt":${string('\\u0041')}}`),
  '10 MB of \\"': () => order(`{"prompt":${string('\\"')}}`),
  '10 MB of \\ud800': () => order(`{"prompt":${string('\\ud800')}}`),
  '10 MB of [[sim': () => order(`{"prompt":${string('[[sim')}}`),
  '10 MB of commas in a text': () => order(`{"prompt":${string(',[{')}}`),
  '10 MB of blanks': () => order(`{"value":1${fill(' ')}}`),
  'a number of 10 MB': () => inputOf(fill('1')),
  'a fraction of 10 MB': () => inputOf(`0.${fill('1')}`),
  'numbers of 1e999999': () => inputOf(list(VALUES, () => '1e999999')),
  'a key of 10 MB': () => order(`{${string('k')}:1}`),
  'a long text below 90 levels': () => inputOf(`${'["",'.repeat(90)}${string('a')}${']'.repeat(90)}`),
  '10 MB of messages': () =>
    order(
      `{"messages":${list(15_000, (index) => `{"role":"user","content":"${`word ${index} `.repeat(50)}"}`)}}`,
      'acme/llm-1',
    ),
  'a message of 10 MB': () => order(`{"messages":[{"role":"user","content":${string('a')}}]}`, 'acme/llm-1'),
  'a message of 10 MB of Chinese': () =>
    order(`{"messages":[{"role":"user","content":${string('漢')}}]}`, 'acme/llm-1'),
  'a tool with a large schema': () =>
    order(
      `{"messages":[{"role":"user","content":"use f"}],"tool_choice":"required","tools":[{"name":"f","parameters":{"type":"object","required":["a"],"properties":{"a":{"enum":${list(VALUES, (index) => `"${'x'.repeat(150)}${index}"`)}}}}}]}`,
      'acme/llm-1',
    ),
}

/** Valid JSON that does not create a task. */
const refused: Readonly<Record<string, () => string>> = {
  '5,000,000 levels': () => inputOf('['.repeat(5_000_000) + ']'.repeat(5_000_000)),
  'a directive of 10 MB': () => order(`{"prompt":"[[sim message=\\"${fill('a')}\\"]]"}`),
  'a directive of 10 MB of blanks': () => order(`{"prompt":"[[sim ${fill(' ')}x]]"}`),
  'a directive in a field of a long name': () => order(`{"${fill('k')}":"[[sim x]]"}`),
  'a size of 10 MB': () => order(`{"size":${string('A')},"aspect_ratio":1}`),
  'a model of 10 MB': () => order('{}', fill('m')),
  'a URL of 10 MB': () => `{"model":"m","input":{},"webhook_url":"http://a/${fill('u')}"}`,
  '40,000 unknown fields': () =>
    `{"model":"m","input":"x",${object(VALUES, (index) => `field ${mixed(index)} ${index}`).slice(1)}`,
  'messages that are a text of 10 MB': () => order(`{"messages":${string('漢')}}`, 'acme/llm-1'),
  'no JSON': () => fill('x'),
  'no UTF-8': () => order(`{"prompt":"${fill('a')}`),
}

/** Generates all bodies, each on demand. */
export function* hostileBodies(): Generator<HostileBody> {
  yield* of(excessive, 413)
  yield* of(accepted, 200)
  yield* of(refused, 400)
}

function* of(bodies: Readonly<Record<string, () => string>>, status: number): Generator<HostileBody> {
  for (const [name, make] of Object.entries(bodies)) yield { name, body: make(), status }
}
