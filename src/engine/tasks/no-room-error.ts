/** A task that is not made because the scenario's capacity is used up, lines included. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'

  constructor() {
    super('Too many tasks are running and waiting.')
  }
}
