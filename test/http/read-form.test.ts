import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FormReader, formWithFile, type SentForm } from '../../src/http/uploads/read-form.js'

/** The body and the Content-Type of a form, as `fetch` sends it. */
async function sent(form: FormData): Promise<[Uint8Array<ArrayBuffer>, string]> {
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return [new Uint8Array(await request.arrayBuffer()), request.headers.get('content-type') ?? '']
}

/** Reads a form whose bytes arrive in pieces of a size. */
function readForm(bytes: Uint8Array, contentType: string, field: string, size = bytes.length): SentForm {
  const form = new FormReader(contentType)
  for (let at = 0; at < bytes.length; at += size) form.write(bytes.subarray(at, at + size))
  return formWithFile(form.end(), field)
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('a form gives its file, and the other fields as texts or JSON', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.string(),
      fc.jsonValue(),
      fc.nat(200),
      async (bytes, note, json, size) => {
        const form = new FormData()
        form.set('note', note.replace(/\r\n?|\n/g, ' '))
        form.set('metadata', new Blob([JSON.stringify(json)], { type: 'application/json' }))
        form.set('content', new File([new Uint8Array(bytes)], 'a b.png', { type: 'image/png' }))
        const { file, fields } = readForm(...(await sent(form)), 'content', size + 1)
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
  const { fields } = readForm(...(await sent(form)), 'file')
  expect([Object.keys(fields), Object.getPrototypeOf(fields)]).toEqual([['__proto__'], Object.prototype])
})

test('a form without a usable file is rejected with the field and the remedy', async () => {
  const form = new FormData()
  form.set('data', 'text')
  const [bytes, type] = await sent(form)
  expect(() => readForm(bytes, type, 'file')).toThrow(
    'The field `file` is missing: send the file in it, with a filename. The form has the fields `data`.',
  )
  expect(() => readForm(bytes, type, 'data')).toThrow(/The field `data` is a text: send the file/)
  expect(() => readForm(bytes.subarray(0, -8), type, 'file')).toThrow(/not a valid form/)
  expect(() => readForm(bytesOf(''), 'multipart/form-data', 'file')).toThrow(/not a valid form/)
})

const TYPE = 'multipart/form-data; boundary=b'
const part = (headers: string, content = '') =>
  `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`

test('a form is the same however its bytes arrive, with anything after its end', () => {
  const text = `${part('name="file"; filename="x"', 'a\r\n--\r\n--c')}${part('name="b"', '1')}--b--\r\nthe end`
  const whole = readForm(bytesOf(text), TYPE, 'file')
  expect([new TextDecoder().decode(whole.file.bytes), whole.fields]).toEqual(['a\r\n--\r\n--c', { b: '1' }])
  for (let size = 1; size < text.length; size++)
    expect(readForm(bytesOf(text), TYPE, 'file', size)).toEqual(whole)
})

test('names are read as browsers and Python clients write them, and JSON needs no filename', () => {
  const text = `${part(`name=file; filename*=utf-8''%C3%A4.png`, 'x')}${part('name="a%22b"\r\nContent-Type: application/json; charset=utf-8', '{"c":1}')}--b--`
  const { file, fields } = readForm(bytesOf(text), TYPE, 'file')
  expect([file.name, fields]).toEqual(['ä.png', { 'a"b': { c: 1 } }])
})

test.each([
  ['one in another parameter', 'multipart/form-data; a="boundary=zzz"; boundary=b'],
  ['a name in capitals', 'Multipart/Form-Data; Boundary="b"'],
])('the boundary is that of the parameter, with %s', (_, type) => {
  expect(() => readForm(bytesOf(`${part('name="a"').repeat(101)}--b--`), type, 'file')).toThrow(
    /more than 100 parts/,
  )
})

test('a form that would take too long to read is rejected before it has arrived', () => {
  const begin = (text: string, type = TYPE) => new FormReader(type).write(bytesOf(text))
  expect(() => begin(part('name="a"').repeat(102))).toThrow(/more than 100 parts/)
  expect(() => begin(`--b\r\nX-Long: ${'x'.repeat(9_000)}`)).toThrow(/more than 8192 bytes of headers/)
  expect(() => begin('', `${TYPE}${'b'.repeat(70)}`)).toThrow(/no boundary of 1 to 70 characters/)
  const file = part('name="file"; filename="x"')
  const withData = (content: string) =>
    bytesOf(`${file}${part('name="data"; filename="d"\r\nContent-Type: application/json', content)}--b--`)
  expect(() => readForm(withData('['.repeat(50_000)), TYPE, 'file')).toThrow(
    /`data` has too many values or levels/,
  )
  expect(() => readForm(withData('x'.repeat(200_000)), TYPE, 'file')).toThrow(/`data` has 200000 bytes/)
})
