import { invalid } from './problem.js'

const DEFAULT_LIMIT = 20

/**
 * The page size in a query: from 1 to `max`, 20 by default.
 * @throws Problem 400 with the parameter
 */
export function limitIn(query: URLSearchParams, max: number): number {
  const limit = query.get('limit')
  if (limit === null) return DEFAULT_LIMIT
  if (/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= max) return Number(limit)
  throw invalid('query parameter', 'limit', limit, `a whole number from 1 to ${max}`)
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
