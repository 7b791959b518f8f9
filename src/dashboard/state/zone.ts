import { effect, signal } from '@preact/signals'
import { setZone, type Zone } from '../model/format.js'

const NAME = 'tasksim-zone'

/** The zone of all times on the page. */
export const zone = signal<Zone>(localStorage.getItem(NAME) === 'local' ? 'local' : 'UTC')

effect(() => setZone(zone.value))

export function toggleZone(): void {
  const chosen = zone.value === 'UTC' ? 'local' : 'UTC'
  localStorage.setItem(NAME, chosen)
  // Whatever shows a time renders after this, and must find the zone.
  setZone(chosen)
  zone.value = chosen
}
