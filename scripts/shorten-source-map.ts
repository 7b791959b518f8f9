import { SourceMap, type SourceMapPayload } from 'node:module'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Reduces a source map to the start of each line. That suffices for stack traces, and is a fifth of the size.
 * @param code the code that the map describes
 */
export function shortenSourceMap(map: string, code: string): string {
  const payload: SourceMapPayload = JSON.parse(map)
  const positions = new SourceMap(payload)
  let last = [0, 0, 0]
  const lines = code.split('\n').map((text, line) => {
    const position = positions.findEntry(line, text.search(/\S|$/))
    if (!('originalSource' in position) || position.generatedLine !== line) return ''
    const { originalSource, originalLine, originalColumn } = position
    const next = [payload.sources.indexOf(originalSource), originalLine, originalColumn]
    const differences = next.map((value, index) => value - (last[index] ?? 0))
    last = next
    return [0, ...differences].map(digits).join('')
  })
  // Vite warns about a source that is neither in the map nor in the package.
  const sourcesContent = payload.sources.map(() => '')
  return JSON.stringify({ ...payload, sourcesContent, names: [], mappings: lines.join(';') })
}

/** Encodes a number in base 64, the lowest digit first, as source maps do. */
function digits(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    text += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)]
    rest >>>= 5
  } while (rest > 0)
  return text
}
