import { invalid } from './problem.js'

/**
 * The value of a query parameter that must be a whole number.
 * @throws Problem 400 with the parameter
 */
export function numberIn(
  query: URLSearchParams,
  name: string,
  bounds: { readonly min: number; readonly max: number; readonly default: number },
): number {
  const value = query.get(name)
  if (value === null) return bounds.default
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= bounds.min && number <= bounds.max) return number
  throw invalid('query parameter', name, value, `a whole number from ${bounds.min} to ${bounds.max}`)
}

/**
 * The value of a query parameter that must be one of some words; undefined if it is missing.
 * @throws Problem 400 with the parameter
 */
export function wordIn<const Words extends readonly string[]>(
  query: URLSearchParams,
  name: string,
  words: Words,
): Words[number] | undefined {
  const value = query.get(name)
  if (value === null || words.includes(value)) return value ?? undefined
  throw invalid('query parameter', name, value, `one of ${words.join(', ')}`)
}
