/** The option of every command that calls the control API of a running server. */
export function controlTokenOption() {
  return {
    type: 'string',
    default: process.env['TASKSIM_CONTROL_TOKEN'] || undefined,
    defaultDescription: 'env TASKSIM_CONTROL_TOKEN',
    describe: 'Token of the control API of the running server',
  } as const
}
