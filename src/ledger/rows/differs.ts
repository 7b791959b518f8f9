/** Why a row cannot be used whose field must differ from those of all other rows. */
export function differs(field: string, value: string): string {
  return `\`${field}\` must differ from those of other rows, got ${JSON.stringify(value.slice(0, 100))}`
}
