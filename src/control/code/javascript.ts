import { literal, type Syntax, type Written } from './literal.js'

const NAME = /^[A-Za-z_$][\w$]*$/

/** The syntax of JavaScript and TypeScript, with single quotes and unquoted names. */
export const JAVASCRIPT: Syntax = {
  string: quoted,
  field(name) {
    // In an object literal, this name would set the prototype.
    if (name === '__proto__') return "['__proto__']"
    return NAME.test(name) ? name : quoted(name)
  },
  words: { true: 'true', false: 'false', null: 'null' },
  padding: ' ',
  indent: '  ',
  withKey: (parts) =>
    parts.every((part) => part === '')
      ? 'process.env.API_KEY'
      : `\`${parts.map((part) => part.replace(/[\\`$]/g, '\\$&')).join(`\${process.env.API_KEY}`)}\``,
}

/** Writes a value as JavaScript. @param margin the indentation of the line in which it starts */
export function javascript(value: Written, margin = ''): string {
  return literal(value, JAVASCRIPT, margin)
}

/** JSON escapes every character that JavaScript does not allow in a string. */
function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replace(/\\.|'/g, (part) => (part === '\\"' ? '"' : part === "'" ? "\\'" : part))}'`
}
