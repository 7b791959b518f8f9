import type { Syntax } from './literal.js'

/** The syntax of Python. Its strings have the escapes of JSON. */
export const PYTHON: Syntax = {
  string: (text) => JSON.stringify(text),
  field: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
  padding: '',
  indent: '    ',
  withKey: (parts) =>
    parts
      .flatMap((part, index) => [
        ...(index === 0 ? [] : ['os.environ["API_KEY"]']),
        ...(part === '' ? [] : [JSON.stringify(part)]),
      ])
      .join(' + '),
}
