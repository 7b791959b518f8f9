import { randomBytes } from 'node:crypto'

/** The option that sets the random seed. */
export const seedOption = {
  type: 'string',
  defaultDescription: 'seed of the scenario',
  describe: 'Random seed; "random" picks one',
} as const

/** The value of the option that stands for any seed. */
export const RANDOM_SEED = 'random'

/** Chooses the seed. A random seed comes from the system, because the simulation must stay reproducible. */
export function chooseSeed(option: string): string {
  return option === RANDOM_SEED ? randomBytes(4).toString('hex') : option
}
