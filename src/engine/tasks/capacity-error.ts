/** Thrown if a new task can neither run nor wait within the scenario's capacity. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError'

  constructor() {
    super('Too many tasks are running and waiting.')
  }
}
