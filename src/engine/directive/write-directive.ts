/** Writes the values of a directive by key, as `parseDirective` reads them. Leaves out empty values. */
export function writeDirective(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([key, value = '']) => (value === '' ? [] : [`${key}=${quoted(value)}`]))
    .join(' ')
}

function quoted(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replace(/[\\"]/g, '\\$&')}"` : value
}
