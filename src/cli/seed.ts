import { randomBytes } from 'node:crypto'

/** The seed that `--seed` means; `random` picks one, which is no draw of the simulation and so comes from outside it. */
export function chooseSeed(option: string | undefined): string | undefined {
  return option === 'random' ? randomBytes(4).toString('hex') : option
}
