/**
 * Writes a time span as Go does: `20ms`, `1.5s`, `6m0s` or `1h0m0s`.
 * @param span milliseconds
 */
export function goDuration(span: number): string {
  if (span <= 0) return '0s'
  if (span < 1_000) return `${span}ms`
  const [hours, minutes] = [Math.floor(span / 3_600_000), Math.floor(span / 60_000) % 60]
  const seconds = `${(span % 60_000) / 1_000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
