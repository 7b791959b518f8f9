/** The option that names the webhook signing secret, in every command that has it. */
export function secretOption() {
  return {
    type: 'string',
    default: process.env['TASKSIM_WEBHOOK_SECRET'] || undefined,
    defaultDescription: 'env TASKSIM_WEBHOOK_SECRET',
    describe: "Signing secret of webhooks, instead of the scenario's",
  } as const
}
