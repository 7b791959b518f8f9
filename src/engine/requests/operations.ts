/** The names of the service's operations in faults and rate limits. */
export const SERVICE_OPERATIONS = [
  'tasks.create',
  'tasks.retrieve',
  'tasks.result',
  'tasks.list',
  'tasks.cancel',
  'tasks.delete',
  'tasks.stream',
  'tasks.cancel_queued',
  'files.upload',
  'files.retrieve',
  'files.list',
  'files.delete',
  'files.download',
  'webhooks.create',
  'webhooks.retrieve',
  'webhooks.list',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.ping',
  'webhooks.rotate_secret',
  'service.info',
] as const
export type OperationName = (typeof SERVICE_OPERATIONS)[number]

/** The methods of the service's requests in faults. */
export const SERVICE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Compiles a condition on the operation. Without a condition, every operation on tasks matches. */
export function operationMatcher(
  wanted: OperationName | readonly OperationName[] | undefined,
): (operation: OperationName) => boolean {
  if (wanted === undefined) return (operation) => operation.startsWith('tasks.')
  if (typeof wanted === 'string') return (operation) => operation === wanted
  return (operation) => wanted.includes(operation)
}
