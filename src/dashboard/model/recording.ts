import type { StateShape } from '../../control/shapes.js'
import { VIEWS, type View } from './routes.js'

/** The real service that the server records; undefined if it simulates one. */
export type Recording = StateShape['recording']

/** The views of a server: a recording has no scenario. */
export function viewsOf(recording: Recording): readonly (typeof VIEWS)[number][] {
  return recording === undefined ? VIEWS : VIEWS.filter((view) => view !== 'scenario')
}

/** The keys of actions that change a simulation, such as its clock. */
const SIMULATION_KEYS = ['p', '.', 'm', 'h', 'n', 'c']

/** Whether a view can be shown: a recording has no composer, because nothing may be sent to the real service. */
export function hasView(view: View, recording: Recording): boolean {
  return recording === undefined || viewsOf(recording).some((known) => known === view)
}

/** Whether a key has an effect. */
export function isActive(key: string, recording: Recording): boolean {
  if (recording === undefined) return true
  return !SIMULATION_KEYS.includes(key) && key !== String(VIEWS.indexOf('scenario') + 1)
}

/** Why the page cannot change anything. */
export const RECORDING_REASON =
  'The tasks and the time are those of the real service, so this page shows them, but cannot change them.'

/** The web addresses in the output of a task, without duplicates. */
export function addressesIn(output: unknown): string[] {
  return [...new Set(stringsIn(output).filter((text) => /^https?:\/\/\S+$/.test(text)))]
}

/** All strings anywhere in a JSON value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
