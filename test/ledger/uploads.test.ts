import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestOfBytes } from '../../src/engine/digest.js'
import { runs } from '../support/deep.js'
import { openWorld, type Restarts, type Sent, type World } from './world.js'

const encoder = new TextEncoder()

const GOOGLE = { 'x-goog-api-key': 'key' }
const FAL = { authorization: 'Key fal_key', 'content-type': 'application/json' }
const FORM = { 'content-type': 'multipart/form-data; boundary=x' }

const form = (content: number) =>
  encoder.encode(
    `--x\r\nContent-Disposition: form-data; name="content"; filename="f${content % 2}"\r\n\r\n${content}\r\n--x--\r\n`,
  )

type Command =
  | { readonly do: 'announce' | 'form' | 'start'; readonly content: number }
  | { readonly do: 'put' | 'part' | 'finalize'; readonly upload: number; readonly content: number }
  | { readonly do: 'query' | 'read' | 'show' | 'delete'; readonly upload: number }
  | { readonly do: 'list' | 'reset' }
  | { readonly do: 'advance'; readonly by: number }

const upload = fc.nat(3)
const content = fc.nat(3)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('announce' as const, 'form' as const, 'start' as const),
      content,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('put' as const, 'part' as const, 'finalize' as const),
      upload,
      content,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('query' as const, 'read' as const, 'show' as const, 'delete' as const),
      upload,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('list' as const, 'list' as const, 'reset' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.nat(60) }) },
)

/** The paths and ids that the answers contain, by the service that gave them. */
class Client {
  readonly #world: World
  readonly announced: string[] = []
  readonly kept: { readonly id: string; readonly path: string }[] = []
  readonly active: { readonly path: string; size: number }[] = []

  constructor(world: World) {
    this.#world = world
  }

  async send(command: Command): Promise<void> {
    switch (command.do) {
      case 'announce': {
        const body = { file_name: `f${command.content}.png`, content_type: 'image/png' }
        const answer = await this.#fal({ method: 'POST', path: '/fal/rest/storage/upload/initiate', body })
        this.announced.push(pathOf(answer.upload_url))
        return
      }
      case 'put': {
        const path = at(this.announced, command.upload) ?? '/files/none'
        return this.#fal({ method: 'PUT', path, body: encoder.encode(`bytes ${command.content}`) })
      }
      case 'read':
        await this.#world.send({ method: 'GET', path: at(this.announced, command.upload) ?? '/files/none' })
        return this.#world.send({ method: 'GET', path: at(this.kept, command.upload)?.path ?? '/files/none' })
      case 'form': {
        const path = '/replicate/v1/files'
        const sent = { method: 'POST', path, headers: FORM, body: form(command.content) }
        const { id, urls } = await this.#world.send(sent)
        this.kept.push({ id, path: pathOf(urls.get) })
        return
      }
      case 'show':
      case 'delete': {
        const { id = 'none' } = at(this.kept, command.upload) ?? {}
        const method = command.do === 'show' ? 'GET' : 'DELETE'
        return this.#world.send({ method, path: `/replicate/v1/files/${id}` })
      }
      case 'start': {
        const name = command.content === 0 ? undefined : `files/mine-${this.active.length}`
        const body = { file: { displayName: `f${command.content}`, name } }
        const path = '/google/upload/v1beta/files'
        const reply = await this.#google({ method: 'POST', path, body }, 'start')
        this.active.push({ path: pathOf(reply), size: 0 })
        return
      }
      case 'part':
      case 'finalize':
      case 'query': {
        const active = at(this.active, command.upload)
        if (active === undefined) return
        const body = encoder.encode('content' in command ? `part ${command.content}` : '')
        const commands = { part: 'upload', finalize: 'upload, finalize', query: 'query' }
        await this.#google({ method: 'POST', path: active.path, body }, commands[command.do], active.size)
        active.size += body.length
        return
      }
      case 'list':
        await this.#world.send({ method: 'GET', path: '/replicate/v1/files' })
        return this.#world.send({ method: 'GET', path: '/google/v1beta/files', headers: GOOGLE })
      case 'reset':
        return this.#world.send({ method: 'POST', path: '/_sim/reset' })
      case 'advance':
        return this.#world.send({ method: 'POST', path: '/_sim/clock', body: { advance: `${command.by}h` } })
    }
  }

  #fal(sent: Sent) {
    return this.#world.send({ ...sent, headers: FAL })
  }

  /** @returns the URL of the upload, if the answer has one */
  async #google(sent: Sent, command: string, offset = 0): Promise<string> {
    const type = command === 'start' ? 'application/json' : 'application/octet-stream'
    const headers = {
      ...GOOGLE,
      'content-type': type,
      'x-goog-upload-command': command,
      'x-goog-upload-offset': String(offset),
    }
    await this.#world.send({ ...sent, headers })
    const { headers: answered } = this.#world.seen.at(-1) as { headers: Record<string, string> }
    return answered['x-goog-upload-url'] ?? ''
  }
}

function at<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(1, items.length)]
}

const pathOf = (url: string) => url.replace('http://localhost', '')

async function play(commands: readonly Command[], restartAt: number, restarts: Restarts): Promise<unknown> {
  const world = await openWorld({ scenario: 'instant' }, restarts)
  const client = new Client(world)
  for (const [index, command] of commands.entries()) {
    if (index === restartAt) await world.restart()
    await client.send(command)
  }
  await world.restart()
  await client.send({ do: 'list' })
  const uploads = [...(await world.sim.uploads()).all()]
  const state = await world.state()
  world.sim.close()
  return [world.seen, state, uploads]
}

test.each<Restarts>(['from-save', 'from-ledger'])(
  'uploads continue after a restart: %s',
  async (restarts) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { maxLength: 30, size: 'max' }),
        fc.nat(30),
        async (commands, restartAt) => {
          const expected = await play(commands, restartAt, 'none')
          expect(await play(commands, restartAt, restarts)).toEqual(expected)
        },
      ),
      { numRuns: runs(5, 40) },
    )
  },
)

test('a part of a file is written to the ledger once, and is not in memory twice', async () => {
  const [count, size] = [20, 20_000]
  const world = await openWorld({ scenario: 'instant' }, 'from-ledger')
  const client = new Client(world)
  await client.send({ do: 'start', content: 1 })
  const [upload] = client.active
  const send = (command: string, offset: number, body: Uint8Array) =>
    world.send({
      method: 'POST',
      path: upload?.path ?? '',
      headers: { ...GOOGLE, 'x-goog-upload-command': command, 'x-goog-upload-offset': String(offset) },
      body,
    })
  for (let part = 0; part < count; part++) await send('upload', part * size, new Uint8Array(size).fill(part))
  await send('upload, finalize', count * size, encoder.encode('end'))
  await new Promise(setImmediate)
  expect(world.written).toBeLessThan(1.5 * count * size)
  expect(world.sim.memory.usage().uploads).toBeLessThan(1.1 * count * size)
  const [before] = (await world.sim.uploads()).all()
  await world.restart()
  const [after] = (await world.sim.uploads()).all()
  expect({ ...after, bytes: after?.bytes.length }).toEqual({ ...before, bytes: count * size + 3 })
  expect(before?.sha256).toBe(await digestOfBytes(after?.bytes ?? new Uint8Array()))
  const { id = '' } = after ?? {}
  ;(await world.sim.uploads()).delete(id)
  expect(world.sim.memory.usage().uploads).toBe(0)
  world.sim.close()
})
