import { computed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { DialectShape } from '../../control/shapes.js'
import { resource } from './fetched.js'
import { control, scenarioVersion } from './session.js'

// The server loads the code of every dialect for the list, so the page asks only when a view needs it.
const list = resource(
  () => scenarioVersion.value,
  () => control.peek().dialects.list(),
)

/** Loads the dialects, and keeps them up to date. */
export const wantDialects = list.want

/** The dialects of the simulator; none until they are loaded. */
export function useDialects(): readonly DialectShape[] {
  useEffect(wantDialects, [])
  return list.value.value ?? []
}

const byName = computed(() => new Map(list.value.value?.map((dialect) => [dialect.name, dialect])))

/** How long the URLs of a dialect are valid; undefined until that is known. */
export function urlsOf(dialect: string): DialectShape['urls'] | undefined {
  return byName.value.get(dialect)?.urls
}

/** Whether the service with a dialect signs its webhooks. Most do, so one that is not known yet counts as such. */
export const isSigned = computed(() => {
  const known = byName.value
  return (dialect: string) => known.get(dialect)?.signed !== false
})
