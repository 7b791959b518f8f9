const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const

/** A command of GitHub Actions that annotates a build. */
export function githubCommand(
  severity: keyof typeof COMMANDS,
  title: string,
  lines: readonly string[],
): string {
  return `::${COMMANDS[severity]} title=${property(title)}::${data(lines.join('\n'))}`
}

/** Escapes the characters that end a message. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** The characters that have a meaning in Markdown or HTML, and those that turn a URL or an address into a link. */
const ACTIVE = /[\\`*_[\]<>|~&@]|:(?=\/\/)/g

/** Escapes observed text, in which a client or a receiver could otherwise hide a link, a picture or a table row. */
export function escapedMarkdown(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(ACTIVE, (character) => `&#${character.codePointAt(0)};`)
}

/** A text in one line of code, which may contain any character. */
export function markdownCode(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ')
  const fence = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  return fence.length === 1 ? `\`${line}\`` : `${fence} ${line} ${fence}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Escapes text for XML or HTML, and replaces characters that XML cannot contain, such as control characters. */
export function escapedXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character)
}
