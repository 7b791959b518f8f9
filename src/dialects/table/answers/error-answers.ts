import type { ErrorAnswer, StateAnswer } from '../dialect-table.generated.js'

/** The answers of a state by the code of the error; the first one, without a code, is for all others. */
export function errorAnswers({
  by_error: byError = {},
  ...usual
}: StateAnswer): readonly (readonly [code: string | undefined, answer: ErrorAnswer])[] {
  const special = Object.entries(byError).map(([code, own]) => [code, { ...usual, ...own }] as const)
  return [[undefined, usual], ...special]
}
