import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readForm } from '../../src/http/uploads/read-form.js'

/** The body and the Content-Type of a form, as `fetch` sends it. */
async function sent(form: FormData): Promise<[Uint8Array<ArrayBuffer>, string]> {
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return [new Uint8Array(await request.arrayBuffer()), request.headers.get('content-type') ?? '']
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('a form gives its file, and the other fields as texts or JSON', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.string(),
      fc.jsonValue(),
      async (bytes, note, json) => {
        const form = new FormData()
        form.set('note', note.replace(/\r\n?|\n/g, ' '))
        form.set('metadata', new Blob([JSON.stringify(json)], { type: 'application/json' }))
        form.set('content', new File([new Uint8Array(bytes)], 'a b.png', { type: 'image/png' }))
        const { file, fields } = await readForm(...(await sent(form)), 'content')
        expect(file).toEqual({ bytes: new Uint8Array(bytes), name: 'a b.png', contentType: 'image/png' })
        expect(fields).toEqual({ note: form.get('note'), metadata: JSON.parse(JSON.stringify(json)) })
      },
    ),
  )
})

test('a field with any name is only a field', async () => {
  const form = new FormData()
  form.set('file', new File(['x'], 'x'))
  form.set('__proto__', 'own')
  const { fields } = await readForm(...(await sent(form)), 'file')
  expect([Object.keys(fields), Object.getPrototypeOf(fields)]).toEqual([['__proto__'], Object.prototype])
})

test('a form without a usable file is rejected with the field and the remedy', async () => {
  const form = new FormData()
  form.set('data', 'text')
  const [bytes, type] = await sent(form)
  await expect(readForm(bytes, type, 'file')).rejects.toThrow(
    'The field `file` is missing: send the file in it, with a filename. The form has the fields `data`.',
  )
  await expect(readForm(bytes, type, 'data')).rejects.toThrow(/The field `data` is a text: send the file/)
  await expect(readForm(bytes.subarray(0, -8), type, 'file')).rejects.toThrow(/not a valid form/)
  await expect(readForm(bytesOf(''), 'multipart/form-data', 'file')).rejects.toThrow(/not a valid form/)
})

test('a form that would take too long to read is rejected before it is parsed', async () => {
  const many = new FormData()
  for (let count = 0; count <= 100; count++) many.append('part', String(count))
  await expect(readForm(...(await sent(many)), 'file')).rejects.toThrow(/more than 100 parts/)
  const deep = new FormData()
  deep.set('file', new File(['x'], 'x'))
  deep.set('metadata', new Blob(['['.repeat(50_000)], { type: 'application/json' }))
  await expect(readForm(...(await sent(deep)), 'file')).rejects.toThrow(
    /`metadata` has too many values or levels/,
  )
  deep.set('metadata', 'x'.repeat(200_000))
  await expect(readForm(...(await sent(deep)), 'file')).rejects.toThrow(/`metadata` has 200000 bytes/)
})
