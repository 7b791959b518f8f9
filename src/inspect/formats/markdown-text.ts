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
