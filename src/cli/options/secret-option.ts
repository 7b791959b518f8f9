/** The option that sets the webhook signing secret. */
export function secretOption() {
  return {
    type: 'string',
    default: process.env['TASKSIM_WEBHOOK_SECRET'] || undefined,
    defaultDescription: 'env TASKSIM_WEBHOOK_SECRET',
    describe: 'Webhook signing secret',
  } as const
}

/** Describes an option for a secret that overrides the secret of the scenario. */
export const SECRET_DESCRIPTION = 'Webhook signing secret; overrides that of the scenario'
