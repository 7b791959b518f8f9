/** A text as a template literal, which shows its lines. */
export function template(text: string): string {
  return `\`${text.replace(/[`\\]|\$(?=\{)/g, (each) => `\\${each}`).replaceAll('\r', '\\r')}\``
}

/** A text as a comment of lines with at most 100 characters. */
export function comment(text: string): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length > 100) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.map((line) => `// ${line}\n`).join('')
}
