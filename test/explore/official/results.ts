import { readFileSync } from 'node:fs'
import type { ExplorationReport, RunResult } from '../../../src/explore/report.js'

/** What an official client makes of each failure. */
export interface ClientResults {
  /** The version of its package. */
  readonly version: string
  /** By the ids of the runs. */
  readonly runs: Readonly<Record<string, RunResult>>
}

/** The results of the official clients, and the date of their exploration. */
export interface OfficialResults {
  readonly date: string
  readonly clients: Readonly<Record<string, ClientResults>>
}

/** The file with the results, which `npm run test:official` writes. */
export const RESULTS = new URL('results.json', import.meta.url)

/** Reads the results of the last exploration. */
export function readResults(): OfficialResults {
  return JSON.parse(readFileSync(RESULTS, 'utf8'))
}

/** @param client the name of the package */
export function resultsOf(client: string, { runs }: Pick<ExplorationReport, 'runs'>): ClientResults {
  const manifest = new URL(`../../../node_modules/${client}/package.json`, import.meta.url)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  return { version, runs: Object.fromEntries(runs.map(({ id, result }) => [id, result])) }
}
