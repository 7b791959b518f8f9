/**
 * Returns a function that matches texts against a pattern in which `*` stands for any characters. Clients supply the
 * texts, and a regular expression could take exponential time on some of them. This takes linear time.
 */
export function globMatcher(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (text) => text === pattern
  const middle = rest.filter((part) => part !== '')
  return (text) => {
    if (!text.startsWith(first)) return false
    let position = first.length
    for (const part of middle) {
      const found = text.indexOf(part, position)
      if (found === -1) return false
      position = found + part.length
    }
    return text.length - last.length >= position && text.endsWith(last)
  }
}
