import type { Task } from '../../engine/tasks/task.js'
import type { Simulator } from '../../simulator.js'
import type { Pending } from './pending.js'

/**
 * Ends the tasks of a sample that end at a poll as soon as their client could poll them: when it has the answer to the
 * create request and the task has started. One call stands for all polls, of which a scenario may ask for a million.
 */
export class Polls {
  readonly #sim: Simulator
  readonly #pending: Pending
  readonly #queued = new Set<string>()

  constructor(sim: Simulator, pending: Pending) {
    this.#sim = sim
    this.#pending = pending
    sim.on('task.started', ({ id }) => {
      if (this.#queued.delete(id)) this.#pending.add(sim.tasks.finish(id))
    })
  }

  /** Polls the task of an answer, now or once it has started. */
  async begin(id: string | undefined): Promise<void> {
    const task = id === undefined ? undefined : await this.#sim.tasks.get(id)
    if (task === undefined || !endsAtPoll(task)) return
    if (task.status === 'queued') this.#queued.add(task.id)
    else await this.#sim.tasks.finish(task.id)
  }
}

function endsAtPoll({ plan }: Task): boolean {
  return 'polls' in plan.end && plan.outcome !== 'stuck'
}
