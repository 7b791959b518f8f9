import { computed, signal } from '@preact/signals'
import { hashOf, type Place, readPlace } from '../model/routes.js'

/** Where in the page one is; the address bar tells the same. */
export const place = signal<Place>(readPlace(location.hash))

export const sandbox = computed(() => place.value.sandbox)

window.addEventListener('hashchange', () => {
  place.value = readPlace(location.hash)
})

/** The address of another place in the same sandbox. */
export function linkTo(to: Pick<Place, 'view'> & Partial<Place>): string {
  return hashOf({ sandbox: place.value.sandbox, id: undefined, ...to })
}

/** Goes to another place in the same sandbox, at once: the next key already belongs to it. */
export function go(to: Pick<Place, 'view'> & Partial<Place>): void {
  location.hash = linkTo(to)
  place.value = readPlace(location.hash)
}
