/** The operations of the service by name, as faults and limits call them; those of `/_sim` are not among them. */
export const SERVICE_OPERATIONS = [
  'tasks.create',
  'tasks.retrieve',
  'tasks.list',
  'tasks.cancel',
  'files.download',
] as const
export type ServiceOperation = (typeof SERVICE_OPERATIONS)[number]

/** Prepares a condition on the operation; without one it is any operation on tasks. */
export function operationMatcher(
  wanted: ServiceOperation | readonly ServiceOperation[] | undefined,
): (operation: ServiceOperation) => boolean {
  if (wanted === undefined) return (operation) => operation !== 'files.download'
  if (typeof wanted === 'string') return (operation) => operation === wanted
  return (operation) => wanted.includes(operation)
}
