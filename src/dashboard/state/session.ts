import { computed, signal } from '@preact/signals'
import type { StateShape, VerdictShape } from '../../control/shapes.js'
import { titlesByTask } from '../model/findings.js'
import { controlOf } from '../server/control.js'
import { sandbox } from './route.js'

/** The state of the connection to the server. */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked'

export const connection = signal<Connection>('connecting')

/** The control API of the selected simulator. */
export const control = computed(() => controlOf(sandbox.value))

export const simulator = signal<StateShape | undefined>(undefined)
/** The real service that the server records; undefined if it simulates one. */
export const recording = computed(() => simulator.value?.recording)
/** The findings, and what was checked; undefined until they are loaded. */
export const verdict = signal<VerdictShape | undefined>(undefined)
/** The simulated time from which the page checks the client, in ISO 8601; undefined if from the start. */
export const checkedFrom = signal<string | undefined>(undefined)
export const findings = computed(() => verdict.value?.findings)
/** The titles of the findings about each task. */
export const findingTitles = computed(() => titlesByTask(findings.value ?? []))

/** These increase when a delivery, a receiver or the scenario changes. */
export const deliveryVersion = signal(0)
export const scenarioVersion = signal(0)

/** Increases when the page loads everything anew, as after a reset or a restart of the server. */
export const loadVersion = signal(0)

/** The ids of the tasks in the latest journal entries; `all` if any task may have changed. */
export const lastChange = signal<{ readonly tasks: ReadonlySet<string>; readonly all: boolean }>({
  tasks: new Set(),
  all: false,
})
