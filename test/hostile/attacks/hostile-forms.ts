/** In bytes. A request to an upload may have 50 MB. */
const SPACE = 48 * 1024 * 1024

/** A form that is slow to read, or takes much memory. */
export interface HostileForm {
  readonly name: string
  readonly contentType: string
  readonly body: Buffer
  /** The expected status, from an operation that keeps a file and from one that creates a task. */
  readonly status: readonly [file: number, task: number]
}

const FORM = 'multipart/form-data; boundary='
const FILE = 'Content-Disposition: form-data; name="content"; filename="f"\r\n\r\n'
const TEXT = 'Content-Disposition: form-data; name="note"\r\n\r\n'
const LONGEST_BOUNDARY = 'b'.repeat(70)

/** As many copies of a text as fit. */
const fill = (text: string, space = SPACE) => Buffer.alloc(space - (space % text.length), text)

/** The bytes of a form from its parts, each with its headers. */
function form(parts: readonly (string | Buffer)[], boundary = 'b', end = `\r\n--${boundary}--\r\n`): Buffer {
  const pieces = parts.flatMap((part) => [Buffer.from(`\r\n--${boundary}\r\n`), Buffer.from(part)])
  return Buffer.concat([...pieces, Buffer.from(end)]).subarray(2)
}

/** A form with a file, and a text that a task requires. */
const withFile = (content: Buffer, boundary?: string, end?: string) =>
  form([PROMPT, Buffer.concat([Buffer.from(FILE), content])], boundary, end)

const PROMPT = 'Content-Disposition: form-data; name="prompt"\r\n\r\nwaves'
const of = (count: number, part: (index: number) => string | Buffer) =>
  Array.from({ length: count }, (_, index) => part(index))

const FORMS: Readonly<Record<string, () => Omit<HostileForm, 'name'>>> = {
  'a quoted parameter with `boundary=`, and 900,000 empty parts': () => ({
    contentType: 'multipart/form-data; a="boundary=zzz"; boundary=b',
    body: emptyParts(900_000),
    status: [413, 413],
  }),
  '900,000 empty parts': () => ({ contentType: `${FORM}b`, body: emptyParts(900_000), status: [413, 413] }),
  'a part with 40 MB of headers': () => ({
    contentType: `${FORM}b`,
    body: form([Buffer.concat([fill('X-Header: value\r\n'), Buffer.from(FILE)])]),
    status: [413, 413],
  }),
  'a header of 40 MB': () => ({
    contentType: `${FORM}b`,
    body: form([Buffer.concat([fill('x'), Buffer.from(FILE)])]),
    status: [413, 413],
  }),
  '100 parts with many headers': () => ({
    contentType: `${FORM}b`,
    body: form(of(100, () => `${'a: b\r\n'.repeat(1_200)}${TEXT}x`)),
    status: [400, 400],
  }),
  '100 parts with many parameters': () => ({
    contentType: `${FORM}b`,
    body: form(of(100, () => `Content-Disposition: form-data; name="a"${'; a="\\"'.repeat(900)}\r\n\r\nx`)),
    status: [400, 400],
  }),
  'a file of 48 MB': () => ({ contentType: `${FORM}b`, body: withFile(fill('x')), status: [201, 400] }),
  'a task with a file of 48 MB': () => ({
    contentType: `${FORM}b`,
    body: form([PROMPT, Buffer.concat([Buffer.from(FILE.replace('content', 'input_reference')), fill('x')])]),
    status: [400, 200],
  }),
  'a file of line breaks': () => ({
    contentType: `${FORM}b`,
    body: withFile(fill('\r\n')),
    status: [201, 400],
  }),
  'a file of the starts of boundaries': () => ({
    contentType: FORM + LONGEST_BOUNDARY,
    body: withFile(fill(`\r\n--${LONGEST_BOUNDARY.slice(1)}`), LONGEST_BOUNDARY),
    status: [201, 400],
  }),
  'a file of the characters of the boundary': () => ({
    contentType: FORM + LONGEST_BOUNDARY,
    body: withFile(fill('b'), LONGEST_BOUNDARY),
    status: [201, 400],
  }),
  'a boundary of 10,000 characters': () => ({
    contentType: FORM + 'b'.repeat(10_000),
    body: withFile(fill('b'), 'b'.repeat(10_000)),
    status: [400, 400],
  }),
  'a file without an end': () => ({
    contentType: `${FORM}b`,
    body: withFile(fill('x'), 'b', ''),
    status: [400, 400],
  }),
  '48 MB before the first part': () => ({ contentType: `${FORM}b`, body: fill('x'), status: [400, 400] }),
  'a text of 48 MB': () => ({
    contentType: `${FORM}b`,
    body: form([`${TEXT}${fill('x')}`]),
    status: [400, 400],
  }),
  '100 texts of 480 KB': () => ({
    contentType: `${FORM}b`,
    body: form(of(100, () => TEXT + 'x'.repeat(480_000))),
    status: [400, 400],
  }),
  '98 texts of 100 KB': () => ({
    contentType: `${FORM}b`,
    body: form([
      PROMPT,
      ...of(98, (index) => `Content-Disposition: form-data; name="${index}"\r\n\r\n${'漢'.repeat(33_333)}`),
    ]),
    status: [400, 400],
  }),
  '99 parts of JSON': () => ({
    contentType: `${FORM}b`,
    body: form(
      of(
        99,
        (index) =>
          `Content-Disposition: form-data; name="${index}"; filename="x"\r\nContent-Type: application/json\r\n\r\n[${'1,'.repeat(9_998)}1]`,
      ),
    ),
    status: [400, 400],
  }),
  '99 names of many brackets': () => ({
    contentType: `${FORM}b`,
    body: form(
      of(99, (index) => `Content-Disposition: form-data; name="a${index}${'[a]'.repeat(2_000)}"\r\n\r\nx`),
    ),
    status: [400, 400],
  }),
}

/** Generates all forms, each on demand. */
export function* hostileForms(): Generator<HostileForm> {
  for (const [name, make] of Object.entries(FORMS)) yield { name, ...make() }
}

function emptyParts(count: number): Buffer {
  return Buffer.concat([fill(`--b\r\n${TEXT}\r\n`, count * 53), Buffer.from('--b--\r\n')])
}
