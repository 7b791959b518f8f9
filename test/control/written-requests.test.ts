import { expect, it } from 'vitest'
import { inputFields } from '../../src/control/dialects/input-fields.js'
import { InputError } from '../../src/engine/tasks/kinds.js'
import { KINDS } from '../../src/kinds/built-in-kinds.js'
import { Parameters } from '../../src/kinds/parameters.js'
import { OWN_DIALECTS } from '../dialects/matrix/any-client.js'
import { code, describeClients, refusal } from './describe-clients.js'

describeClients('a written request', (open) => {
  it('has defaults that every service accepts, also a dialect of the user', async () => {
    const { control, sim } = await open({ dialects: OWN_DIALECTS })
    for (const dialect of sim.dialects.names) {
      const { kinds } = await control.dialects.write({ dialect })
      for (const kind of kinds) {
        const written = await control.dialects.write({ dialect, kind })
        expect(written, `${dialect} ${kind}`).toMatchObject({ dialect, kind, omitted: [] })
        expect(written.problem).toBeUndefined()
      }
    }
  })

  it('has the wanted model, input, webhook and directives in the format of the service', async () => {
    const { control } = await open()
    const { request, ...written } = await control.dialects.write({
      dialect: 'luma',
      kind: 'image',
      model: 'photon-flash-1',
      prompt: 'a mill',
      webhook_url: 'http://127.0.0.1:9/',
      directives: {
        error: 'content_policy',
        message: 'Not "this".',
        after: '2s',
        fault: '',
        webhook: 'lost',
      },
    })
    expect(written).toMatchObject({ model: 'photon-flash-1', input: { prompt: 'a mill' }, kind: 'image' })
    expect(request.body).toEqual({
      model: 'photon-flash-1',
      prompt: 'a mill',
      callback_url: 'http://127.0.0.1:9/',
    })
    expect(request.headers['X-Sim']).toBe(
      String.raw`error=content_policy message="Not \"this\"." after=2s webhook=lost`,
    )
    expect(request.url).toMatch(/\/dream-machine\/v1\/generations\/image$/)
    expect(request.code?.map(({ label }) => label).slice(0, 3)).toEqual(['curl', 'TypeScript', 'Python'])
  })

  it('suggests the models that a dialect file names', async () => {
    const { control, sim } = await open({ dialects: OWN_DIALECTS })
    const { models: named } = (await sim.dialects.load('acme')).table
    const { model, models } = await control.dialects.write({ dialect: 'acme' })
    expect([model, models]).toEqual([named?.[0], named])
  })

  it('repeats the order of a task, with changes', async () => {
    const { control, order } = await open()
    const id = await order({ model: 'acme/image-1', input: { prompt: 'a mill', n: 2 }, webhook_url: null })
    const again = await control.dialects.write({ task: id })
    expect(again.request.body).toEqual({ model: 'acme/image-1', input: { prompt: 'a mill', n: 2 } })
    const other = await control.dialects.write({ task: id, model: 'acme/image-2' })
    expect(other.request.body).toEqual({ model: 'acme/image-2', input: { prompt: 'a mill', n: 2 } })
    const elsewhere = await control.dialects.write({ task: id, dialect: 'runway', prompt: 'a mill' })
    expect(elsewhere.request.body).toMatchObject({ promptText: 'a mill' })
    expect(await code(control.dialects.write({ task: 'task_none' }))).toBe('404 task_not_found')
  })

  it('names the fields that get lost, and the ones that the service would reject', async () => {
    const { control } = await open()
    const lost = await control.dialects.write({ dialect: 'google', input: { prompt: 'a', duration: 4 } })
    expect(lost.omitted).toEqual(['duration'])
    const { problem } = await control.dialects.write({ kind: 'video', input: { duration: 99 } })
    expect(problem).toEqual({
      field: 'duration',
      message: 'The field `input.duration` must be a number of seconds from 0.5 to 60; got 99.',
    })
  })

  it('rejects what cannot be sent', async () => {
    const { control } = await open()
    const flaws = [
      [{ dialect: 'nobody' }, /`dialect` must be one of tasks, /],
      [{ directives: { outcome: 'lost' } }, /Expected `outcome` to be `succeeded`/],
      [{ directives: { message: 'n\u00e9' } }, /printable ASCII/],
      [{ directives: { fault: '503', polls: 'x' } }, /Expected `polls`/],
    ] as const
    for (const [flaw, message] of flaws) {
      const { status, message: given } = await refusal(control.dialects.write(flaw))
      expect([status, given]).toEqual([400, expect.stringMatching(message)])
    }
  })

  it('has the key of its sandbox', async () => {
    const { control } = await open()
    const { id, api_key: key } = await control.sandboxes.create()
    const { request } = await control.sandboxes.control(id).dialects.write({ dialect: 'fal' })
    expect(request.headers['Authorization']).toBe(`Key ${key}`)
  })

  it('adds its code to the request of a task, and to one that was answered', async () => {
    const { control, order } = await open()
    const id = await order()
    expect((await control.tasks.request(id)).code).toBeUndefined()
    const { code: ofTask = [] } = await control.tasks.request(id, { code: 'true' })
    expect(ofTask.map(({ language }) => language)).toEqual(['curl', 'typescript', 'python'])
    const [entry] = (await control.journal.list({ type: 'request', limit: 1 })).data
    const { code: ofRequest = [] } = await control.journal.repeat(entry?.type === 'request' ? entry.id : '', {
      code: 'true',
    })
    expect(ofRequest[1]?.text).toContain("model: 'acme/image-1'")
  })
})

it.each(KINDS)('the fields of $name models are those that they read', ({ name, order, check }) => {
  const isAccepted = (field: string, value: string | number | boolean) => {
    try {
      order?.(new Parameters({ [field]: value }, false), {})
      check?.({ messages: [{ role: 'user', content: 'hi' }], [field]: value }, false)
      return true
    } catch (error) {
      if (error instanceof InputError) return false
      throw error
    }
  }
  for (const { name: field, type, values = [], min = 0, max = 0 } of inputFields(name)) {
    for (const value of values) expect(isAccepted(field, value), `${field} ${value}`).toBe(true)
    if (type === 'number') {
      expect([isAccepted(field, min), isAccepted(field, max)], field).toEqual([true, true])
      expect(isAccepted(field, min - 1), field).toBe(false)
    }
    if (type === 'boolean') expect(isAccepted(field, true) && !isAccepted(field, 'x')).toBe(true)
    const isFree = field === 'reasoning_effort'
    if (type === 'choice' && !isFree) expect(isAccepted(field, 'none of them'), field).toBe(false)
  }
})
