/** A command of GitHub Actions that annotates a build. */
export function githubCommand(
  word: 'error' | 'warning' | 'notice',
  title: string,
  lines: readonly string[],
): string {
  return `::${word} title=${property(title)}::${data(lines.join('\n'))}`
}

/** Escapes the characters that end a message. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
