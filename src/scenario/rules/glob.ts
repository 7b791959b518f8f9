/**
 * Tells whether a model id matches a pattern in which `*` stands for any characters. A regular expression would
 * take for ever on some ids, and ids come from clients; this looks at each part of the pattern once.
 */
export function globMatcher(pattern: string): (model: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (model) => model === pattern
  const middle = rest.filter((part) => part !== '')
  return (model) => {
    if (!model.startsWith(first)) return false
    let position = first.length
    for (const part of middle) {
      const found = model.indexOf(part, position)
      if (found === -1) return false
      position = found + part.length
    }
    return model.length - last.length >= position && model.endsWith(last)
  }
}
