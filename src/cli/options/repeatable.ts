/** An option that may be repeated. */
export const repeatable = { type: 'string', array: true, requiresArg: true, nargs: 1 } as const
