import escapeStringRegexp from 'escape-string-regexp'

/** Tells whether a model id matches a pattern in which `*` stands for any characters. */
export function globMatcher(pattern: string): (model: string) => boolean {
  const expression = new RegExp(`^${pattern.split('*').map(escapeStringRegexp).join('.*')}$`, 's')
  return (model) => expression.test(model)
}
