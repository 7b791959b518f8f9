/**
 * Writes a time as `00:01:02,345`.
 * @param point the character before the milliseconds
 */
export function timestamp(milliseconds: number, point: ',' | '.'): string {
  const seconds = Math.floor(milliseconds / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return `${clock}${point}${String(milliseconds % 1_000).padStart(3, '0')}`
}
