/** The options of a filter, also with the chosen one: a link may choose a value that nothing known has. */
export function withChosen(values: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || values.includes(chosen) ? values : [...values, chosen]
}
