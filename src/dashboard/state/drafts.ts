import { computed, signal } from '@preact/signals'
import { sandbox } from './route.js'

/** A scenario as text. */
export interface ScenarioText {
  readonly text: string
  /** The name of the shipped scenario with this text, if it is one. */
  readonly shipped?: string | undefined
}

/** The user's work on the scenario of one simulator. */
interface Work {
  /** The scenario in the editor; undefined if it is the active one. */
  readonly draft?: ScenarioText | undefined
  /** The scenario that was active when the user began the draft, or decided to keep it. */
  readonly base?: { readonly name: string; readonly text: string | undefined } | undefined
  /** The active scenario before the last apply. */
  readonly previous?: ScenarioText | undefined
}

const NAME = 'tasksim-drafts'

/** The work by sandbox, kept for the tab, so that it survives another view and a reload. */
const works = signal<Readonly<Record<string, Work>>>(stored())

const work = computed(() => works.value[sandbox.value ?? ''] ?? {})

/** The scenario in the editor; undefined if it is the active one. */
export const draft = computed(() => work.value.draft)

/** The scenario that the draft was made from; undefined without a draft. */
export const base = computed(() => work.value.base)

/** The active scenario before the last apply; undefined if there is none to return to. */
export const previous = computed(() => work.value.previous)

/** Changes the work on the scenario of the current simulator. */
export function keepWork(change: Work): void {
  works.value = { ...works.value, [sandbox.value ?? '']: { ...work.value, ...change } }
  sessionStorage.setItem(NAME, JSON.stringify(works.value))
}

function stored(): Readonly<Record<string, Work>> {
  return JSON.parse(sessionStorage.getItem(NAME) ?? '{}')
}
