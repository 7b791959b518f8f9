import { computed, effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { DialectShape } from '../../control/shapes.js'
import { throttle } from './fetched.js'
import { sandbox } from './route.js'
import { connection, control, scenarioVersion } from './session.js'

const loaded = signal<readonly DialectShape[]>([])
const isWanted = signal(false)

const load = throttle(200, async () => {
  loaded.value = await control.peek().dialects.list()
})

// The server loads the code of every dialect for the list, so the page asks only when a view needs it.
effect(() => {
  sandbox.value
  scenarioVersion.value
  if (isWanted.value && connection.value === 'live') load()
})

/** Loads the dialects, and again whenever the scenario changes. */
export function wantDialects(): void {
  isWanted.value = true
}

/** The dialects of the simulator; none until they are loaded. */
export function useDialects(): readonly DialectShape[] {
  useEffect(wantDialects, [])
  return loaded.value
}

const byName = computed(() => new Map(loaded.value.map((dialect) => [dialect.name, dialect])))

/** How long the URLs of a dialect are valid; undefined until that is known. */
export function urlsOf(dialect: string): DialectShape['urls'] | undefined {
  return byName.value.get(dialect)?.urls
}

/** Whether the service with a dialect signs its webhooks. Most do, so one that is not known yet counts as such. */
export const isSigned = computed(() => {
  const known = byName.value
  return (dialect: string) => known.get(dialect)?.signed !== false
})
