/** Secrets, and the places and encodings in which exchanges can have them. */
import type { JsonValue } from '../../../src/engine/json.js'

const percent = encodeURIComponent
const base64 = (text: string) => Buffer.from(text).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const base32 = (text: string) => {
  const bits = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{1,5}/g) ?? []).map((five) => Number.parseInt(five.padEnd(5, '0'), 2))
  return digits.map((digit) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[digit]).join('')
}
const json = (value: JsonValue) => JSON.stringify(value)
const entities = (text: string) => text.replace(/[&"<>]/g, (each) => `&#x${each.charCodeAt(0).toString(16)};`)
const each = (text: string, write: (code: string) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0).toString(16).padStart(4, '0'))).join('')

/** Names of secrets in the spellings of different languages. */
export const NAMES: readonly string[] =
  'pass pin otp session sid csrf creds license_key licence private_key connection_string API_KEY DB_PASS access_token clientSecret X-Api-Key sessionId JSESSIONID xsrf-token passphrase password passwd pwd user_pin otpCode csrfToken auth_token refreshToken webhook_secret service_key encryption-key AWS_SECRET_ACCESS_KEY connectionString dsn private cookie licenseKey db.password user_credentials'.split(
    ' ',
  )

/** Names that only resemble those of secrets. */
export const OTHER_NAMES: readonly string[] =
  'spin passage prediction_id model version max_tokens tokens tokenizer next_page_token compass author keyword public_key idempotency_key status possession token_type session_timeout'.split(
    ' ',
  )

/** Values with the name of a secret. */
export const NAMED: Readonly<Record<string, (name: string, secret: string) => JsonValue>> = {
  'a field': (name, secret) => ({ [name]: secret }),
  'a list': (name, secret) => ({ [name]: [secret] }),
  'an object': (name, secret) => ({ [name]: { x: { y: [secret] } } }),
  'a pair': (name, secret) => ({ name, value: secret }),
  'a pair with a key': (name, secret) => ({ key: name, value: secret }),
  'a pair, value first': (name, secret) => ({ Value: secret, Name: name }),
  'a list of a name and a value': (name, secret) => [[name, secret]],
  'raw headers': (name, secret) => ['accept', 'x', name, secret],
  'JSON in a text': (name, secret) => json({ [name]: secret, a: 1 }),
  'JSON in JSON in a text': (name, secret) => json({ b: json({ [name]: secret }) }),
  'a text around JSON': (name, secret) => `it was {"a":1,"${name}":"${secret}"} today`,
  'a text around a JSON string': (name, secret) => `it was ${json(json({ [name]: secret }))} today`,
  'an escaped quotation mark': (name, secret) => `x {"${name}":"ab\\"${secret}"} y`,
  'a form': (name, secret) => `a=1&${name}=${secret}&b=2`,
  'a field of an object in a form': (name, secret) => `user[${name}]=${secret}`,
  'an encoded field of an object': (name, secret) => `user%5B${name}%5D=${secret}`,
  'a URL': (name, secret) => `https://cdn.example/x?${name}=${secret}`,
  'a URL of the service': (name, secret) => `https://api.example.com/x?a=1&${name}=${secret}`,
  'a URL with apostrophes': (name, secret) => `https://api.example.com/x?q='a'&${name}=${secret}`,
  'a URL with quotation marks': (name, secret) => `see https://api.example.com/x?q="a"&${name}=${secret}`,
  'a URL with a blank': (name, secret) => `https://cdn.example/x?q=a b&${name}=${secret}`,
  'a URL in apostrophes': (name, secret) => `a='https://cdn.example/x?${name}=${secret}' b`,
  'a URL without a scheme': (name, secret) => `//cdn.example/x?${name}=${secret}`,
  'a URL with backslashes': (name, secret) => `https:\\\\cdn.example\\x?${name}=${secret}`,
  'a URL with one slash': (name, secret) => `https:/api.example.com/x?${name}=${secret}`,
  'a URL without slashes': (name, secret) => `https:cdn.example/x?${name}=${secret}`,
  'a fragment': (name, secret) => `https://cdn.example/x#${name}=${secret}`,
  'a route in a fragment': (name, secret) => `https://api.example.com/x#/route?${name}=${secret}`,
  'a URL in a URL': (name, secret) =>
    `https://api.example.com/next?url=${percent(`https://cdn.example/?${name}=${secret}`)}`,
  'a URL in a URL, encoded twice': (name, secret) =>
    `https://api.example.com/next?url=${percent(percent(`https://cdn.example/?${name}=${secret}`))}`,
  'a URL in a URL, not encoded': (name, secret) =>
    `https://api.example.com/next?url=https://cdn.example/?z=1&${name}=${secret}`,
  'a parameter of any name': (_, secret) => `https://cdn.example/?zz=a'"${secret}`,
  'a parameter without a name': (_, secret) => `see https://cdn.example/?${secret}`,
  'a password in a URL': (_, secret) => `https://user:${secret}@cdn.example/x`,
  'a user name in a URL': (_, secret) => `https://${secret}@cdn.example/x`,
  'a password without a scheme': (_, secret) => `//user:${secret}@cdn.example/?sig=1`,
  'a password after backslashes': (_, secret) => `https:\\\\user:${secret}@cdn.example`,
  'a password of a database': (_, secret) => `postgres://u:${secret}@h:5432/db`,
  'a password with a slash': (_, secret) => `https://user:a/${secret}@cdn.example/x`,
  'a password in a URL with a line break': (_, secret) => `https://us\ner:${secret}@cdn.example/x`,
  'a password in an encoded URL': (_, secret) => percent(`https://user:${secret}@cdn.example/x`),
  'encoded JSON': (name, secret) => percent(json({ [name]: secret })),
  'JSON, encoded twice': (name, secret) => percent(percent(json({ [name]: secret }))),
  'JSON with escapes of quotation marks': (name, secret) => `\\u0022${name}\\u0022:\\u0022${secret}\\u0022`,
  'an element': (name, secret) => `<a><${name}>${secret}</${name}></a>`,
  'an element of a namespace': (name, secret) => `<x:${name} a="1">${secret}</x:${name}>`,
  'an element in an element': (name, secret) => `<${name}><x>${secret}</x></${name}>`,
  CDATA: (name, secret) => `<${name}><![CDATA[${secret}]]></${name}>`,
  'an attribute': (name, secret) => `<a ${name}="${secret}"/>`,
  'a pair of attributes': (name, secret) => `<p name="${name}" value="${secret}"/>`,
  'a pair of attributes, value first': (name, secret) => `<p value="${secret}" name="${name}"/>`,
  'an element with a name': (name, secret) => `<header name="${name}">${secret}</header>`,
  'a pair of elements': (name, secret) => `<p><name>${name}</name><value>${secret}</value></p>`,
  entities: (name, secret) => entities(`{"${name}":"${secret}"}`),
  'entities in a URL': (name, secret) => entities(`https://cdn.example/x?a=1&${name}=${secret}`),
  'base64 of JSON': (name, secret) => base64(json({ [name]: secret })),
  'base64 of an object': (name, secret) => base64(json({ [name]: { x: secret } })),
  'base64 of base64': (name, secret) => base64(base64(json({ [name]: secret }))),
  base64url: (name, secret) => Buffer.from(json({ a: '?>', [name]: secret })).toString('base64url'),
  'base64 of a form': (name, secret) => `x ${base64(`a=1&${name}=${secret}`)} y`,
  'base64 of a URL': (name, secret) => base64(`https://cdn.example/?${name}=${secret}`),
  'base64 of a pair': (name, secret) => base64(json([{ name, value: secret }])),
  'base64 in a parameter': (name, secret) =>
    `https://api.example.com/?x=${percent(base64(json({ [name]: secret })))}`,
  'base64 in lines': (name, secret) =>
    (base64(json({ [name]: secret, note: 'more than one line' })).match(/.{1,40}/g) ?? []).join('\n'),
  'long base64': (name, secret) => base64(json({ note: 'a b '.repeat(60), [name]: secret })),
  'a data URL': (name, secret) => `data:application/json;base64,${base64(json({ [name]: secret }))}`,
  'hexadecimal digits': (name, secret) => hex(json({ [name]: secret })),
  'a header': (name, secret) => `${name}: ${secret}`,
  'a head of a request': (name, secret) => `GET / HTTP/1.1\r\nHost: x\r\n${name}: ${secret}\r\n\r\n`,
  'a cookie': (name, secret) => `Cookie: a=b; ${name}=${secret}`,
  'a command': (name, secret) => `curl -H '${name}: ${secret}' https://x.example`,
  variables: (name, secret) => `FOO=1\n${name}=${secret}\nBAR=2`,
  code: (name, secret) => `["${name}" => "${secret}"]`,
  'a part of a form': (name, secret) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n--b--`,
  'a part with an encoded name': (name, secret) =>
    `--b\r\nContent-Disposition: form-data; name*=UTF-8''${name}\r\n\r\na\r\n${secret}\r\n--b--`,
  'a pair with a default': (name, secret) => ({ header_name: name, default: secret }),
  'a change of a field': (name, secret) => ({ op: 'replace', path: `/user/${name}`, value: secret }),
  'arguments of a command': (name, secret) => ['curl', `--${name}`, secret],
  'a list of parts': (name, secret) => partsOf(`a=1&${name}=${secret}`, 7),
  'a list of objects with parts': (name, secret) =>
    partsOf(`${name}=${secret}`, 4).map((token, index) => ({ token, index })),
  'a list of bytes': (name, secret) => [...Buffer.from(json({ [name]: secret }))],
  'base32 of JSON': (name, secret) => base32(json({ [name]: secret })),
  'hexadecimal digits in pairs': (name, secret) => partsOf(hex(json({ [name]: secret })), 2).join(':'),
  'an option': (name, secret) => `run --${name} ${secret} --${name}=${secret}`,
  'a variable of an image': (name, secret) => `ENV ${name} ${secret}`,
  'a login': (name, secret) => `machine x login y ${name} ${secret}`,
  'arguments of a function': (name, secret) => `headers.set('${name}', '${secret}')`,
  'a value in quotation marks': (name, secret) => `{:${name} "${secret}"}`,
  'a string of a kind': (name, secret) => `{b'${name}': b'${secret}'}`,
  'a string in three quotation marks': (name, secret) => `${name} = """${secret}"""`,
  'a constant with a type': (name, secret) => `const ${name}: string = '${secret}'`,
  'a default': (name, secret) => `process.env.${name} || "${secret}"`,
  'joined strings': (name, secret) => `${name} = "${secret.slice(0, 12)}" +\n  "${secret.slice(12)}"`,
  'a removed line': (name, secret) => `-${name}: ${secret}`,
  'a block in YAML': (name, secret) => `${name}: |\n  ${secret}\nb: 2`,
  'a pair in YAML': (name, secret) => `- name: ${name}\n  value: ${secret}\n`,
  'a pair in YAML, value first': (name, secret) => `- value: ${secret}\n  name: ${name}\n`,
  'a table': (name, secret) => `| ${name} | ${secret} |\n${name}\t${secret}`,
  'an arrow': (name, secret) => `${name} -> ${secret}`,
  'a bold name': (name, secret) => `**${name}**: \`${secret}\`, **${name}:** ${secret}`,
  'curved quotation marks': (name, secret) => `“${name}”: “${secret}”`,
  'characters without a width': (name, secret) =>
    `${name}\u200b: ${secret.slice(0, 12)}\u200b${secret.slice(12)}`,
  'a field of HTML': (name, secret) =>
    `<input name=${name} value=${secret}><input type="password" value="${secret}">`,
  'an attribute of an element with the name': (name, secret) => `<${name} value='${secret}'/>`,
  'a column': (name, secret) => ({ columns: ['user', name], rows: [['bob', secret]] }),
  'a described column': (name, secret) => ({
    schema: { fields: [{ name: 'a' }, { name }] },
    rows: [{ f: [{ v: 1 }, { v: secret }] }],
  }),
  'lists of names and values': (name, secret) => ({ keys: [name, 'b'], values: [secret, 'c'] }),
  'rows below names': (name, secret) => [
    ['user', name, 'age'],
    ['bob', secret, '3'],
  ],
  'a pair with an id': (name, secret) => ({ id: name, value: secret }),
  'a pair with a label': (name, secret) => ({ label: `Your ${name}:`, current: secret }),
  'a pair with an object': (name, secret) => ({ field: { id: name }, value: secret }),
  'a form with ids': (name, secret) =>
    `<x id="${name}" value="${secret}"/><p><id>${name}</id><value>${secret}</value></p>`,
  CSV: (name, secret) => `user,${name},age\n"bob, jr",${secret},3\neve,"${secret}",4\n`,
  'a column in Markdown': (name, secret) => `| user | ${name} |\n|---|---|\n| bob | ${secret} |`,
  'a column of a command': (name, secret) => `USER     ${name}\nbob      ${secret}\n`,
  'a column of a database': (name, secret) => ` user | ${name}\n------+-----\n bob  | ${secret}\n(1 row)`,
  'a column in HTML': (name, secret) =>
    `<tr><th>user</th><th>${name}</th></tr><tr><td>bob</td><td>${secret}</td></tr>`,
  'a row in HTML': (name, secret) => `<tr><th scope="row">${name}</th>\n<td><b>${secret}</b></td></tr>`,
  'a label in HTML': (name, secret) => `<label>${name}:</label><input value="${secret}">`,
  'a column in SQL': (name, secret) =>
    `INSERT INTO t (a, ${name}) VALUES ('x', '${secret}'), ('y', '${secret}')`,
  'a path': (name, secret) =>
    `https://cdn.example/${name.replace(/^(?:cookie|private|pass|licence)$/, 'otp')}/${secret}/a.png`,
  'a dump': (name, secret) => dump(`{"a":1,"${name}":"${secret}"}`),
  'letters with blanks': (name, secret) => Array.from(`${name}=${secret}`).join(' '),
  'a sentence': (name, secret) => `My ${name} is now "${secret}", and my ${name} was ${secret}.`,
  'a sentence with the value first': (name, secret) => `Use ${secret} as the ${name}.`,
  'a text of several lines': (name, secret) => `${name} = <<-EOT\n  ${secret}\nEOT\nother = 1`,
  'a field of a hash in Redis': (name, secret) => `HSET user:1 ${name} ${secret}`,
  'a user in SQL': (_, secret) => `CREATE USER bob IDENTIFIED BY '${secret}';`,
  'a call': (name, secret) => `Config { ${name}: Some("${secret}") }`,
  'an item of a list': (name, secret) => `new Map([['${name}', '${secret}']])`,
  'a level in YAML': (name, secret) => `${name}:\n  value: ${secret}\n`,
}

/** A dump as `xxd` prints it. */
function dump(text: string): string {
  const lines = partsOf(text, 16).map((line, index) => {
    const bytes = partsOf(hex(line), 4).join(' ').padEnd(39)
    return `${(16 * index).toString(16).padStart(8, '0')}: ${bytes}  ${line}`
  })
  return lines.join('\n')
}

const partsOf = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []

/** Texts with a secret that nothing names, in any encoding. */
export const ENCODED: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => `before ${secret} after`,
  percent: (secret) => percent(` ${secret}?`),
  'double percent': (secret) => percent(percent(` ${secret}?`)),
  'percent of each character': (secret) => each(secret, (code) => `%${code.slice(2)}`),
  'base64 at offset 0': (secret) => base64(`${secret}`),
  'base64 at offset 1': (secret) => base64(`:${secret};`),
  'base64 at offset 2': (secret) => base64(`: ${secret}; e`),
  'base64 among bytes': (secret) => base64(`\0\x01\x02${secret}\x03`),
  'base64url in a path': (secret) =>
    `https://cdn.example/${Buffer.from(`??>${secret}`).toString('base64url')}`,
  'base64 of a header': (secret) => `Basic ${base64(`user:${secret}`)}`,
  'hexadecimal digits': (secret) => hex(`:${secret}`),
  'escapes of JSON': (secret) => each(secret, (code) => `\\u${code}`),
  'escapes of bytes': (secret) => each(secret, (code) => `\\x${code.slice(2)}`),
  'decimal entities': (secret) => each(secret, (code) => `&#${Number.parseInt(code, 16)};`),
  'hexadecimal entities': (secret) => each(secret, (code) => `&#x${code};`),
  lines: (secret) => `${secret.slice(0, 9)}\n  ${secret.slice(9)}`,
  'a path': (secret) => `https://cdn.example/${secret}/a.png`,
  'a name of a file': (secret) => `${secret}.png`,
  'JSON in JSON': (secret) => json({ a: json({ note: secret }) }),
  XML: (secret) => `<note>${secret}</note>`,
  base32: (secret) => base32(secret),
  'base32 at offset 1': (secret) => base32(`:${secret};`),
  'base32 at offset 2, in small letters': (secret) => base32(`: ${secret}; e`).toLowerCase(),
  'hexadecimal digits in pairs': (secret) => partsOf(hex(secret), 2).join(' '),
  'numbers of bytes': (secret) => [...Buffer.from(secret)].join(', '),
}

const SMALL = 'abcdefghijkmnopqrstuvwxyz'
const LETTERS = `ABCDEFGHJKLMNPQRSTUVWXYZ${SMALL}`

/** A number generator that always generates the same numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

/** Makes texts that look random, each different. */
export class Secrets {
  readonly made: string[] = []
  readonly #next: (below: number) => number

  constructor(seed: number) {
    this.#next = numbers(seed)
  }

  /** Small letters, so that only a name tells that they are secret. */
  letters(length = 24): string {
    return this.#from(SMALL, length)
  }

  /** Letters and digits, which look random. */
  random(length = 32): string {
    return this.#from(`${LETTERS}23456789`, length)
  }

  /** A key of a known form. */
  key(): string {
    const forms = [
      () => `sk-proj-${this.random()}`,
      () => `r8_${this.random(37)}`,
      () => `hf_${this.random(34)}`,
      () => `AIza${this.random(35)}`,
      () => `ghp_${this.random(36)}`,
      () => `whsec_${this.random(32)}`,
      () => `eyJ${this.random(20)}.eyJ${this.random(30)}.${this.random(43)}`,
      () => `xoxb-${this.random(12)}-${this.random(24)}`,
    ]
    return (forms[this.#next(forms.length)] ?? (() => ''))()
  }

  #from(alphabet: string, length: number): string {
    const text = Array.from({ length }, () => alphabet[this.#next(alphabet.length)]).join('')
    this.made.push(text)
    return text
  }
}

/** The number of characters of a secret that must not be found. */
const PART = 10

/** Finds secrets in a text, also parts of them, in plain, in base64 and in hexadecimal digits. */
export function foundIn(text: string, secrets: readonly string[]): string[] {
  const parts = new Set(windowsOf(text))
  return secrets.filter((secret) =>
    formsOf(secret).some((form) => windowsOf(form).some((part) => parts.has(part))),
  )
}

function formsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((before) => base64(`${'\0'.repeat(before)}${secret}`).slice(before + 1, -4))
  const inBase32 = [0, 1, 2, 3, 4].map((before) => base32(`${'\0'.repeat(before)}${secret}`).slice(8, -2))
  return [secret, ...inBase64, ...inBase32, hex(secret), [...secret].reverse().join('')]
}

function windowsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PART + 1) }, (_, index) =>
    text.slice(index, index + PART),
  )
}
