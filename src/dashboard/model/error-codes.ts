/** Usual error codes of tasks. */
export const ERROR_CODES = [
  'content_policy',
  'internal_error',
  'invalid_input',
  'timeout',
  'capacity_exceeded',
] as const
