/** The option that selects the format of webhooks. */
export const dialectOption = {
  type: 'string',
  requiresArg: true,
  defaultDescription: 'tasks',
  describe: 'Format of the webhooks: the name of a dialect, or the path of a dialect file',
} as const
