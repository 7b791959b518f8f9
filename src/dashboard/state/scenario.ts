import { computed, signal } from '@preact/signals'
import { ControlError } from '../../client/call.js'
import { fileName, type Mistake, mistakesIn, shownText } from '../model/scenario.js'
import { base, draft, keepWork, previous, type ScenarioText } from './drafts.js'
import { resource, throttle } from './fetched.js'
import { notify } from './notifications.js'
import { control, scenarioVersion, simulator } from './session.js'

const active = resource(
  () => scenarioVersion.value,
  () => control.peek().scenario.get(),
)

/** Loads the active scenario, and keeps it up to date. */
export const wantScenario = active.want

/** The active scenario; undefined until it is loaded. */
export const scenario = active.value

/** What the page calls the active scenario. */
export const scenarioName = computed(() => fileName(simulator.value?.scenario.name ?? '…'))

/** The text of the active scenario; undefined if it has none. */
const activeText = computed((): ScenarioText | undefined => {
  const { name, text, shipped = [] } = scenario.value ?? {}
  if (text == null) return undefined
  return shipped.some((each) => each === name) ? { text: shownText(text), shipped: name } : { text }
})

/** The text in the editor. */
export const editedText = computed(() => draft.value?.text ?? activeText.value?.text ?? '')

/** Whether the editor has a draft. */
export const isChanged = computed(
  () => draft.value !== undefined && draft.value.text !== activeText.value?.text,
)

/** The scenario from which the draft was made, if another one has become active since; undefined if none has. */
export const replacedBase = computed(() =>
  isChanged.value &&
  scenario.value !== undefined &&
  base.value !== undefined &&
  base.value.text !== activeText.value?.text
    ? fileName(base.value.name)
    : undefined,
)

/** The mistakes that the server finds in the draft. */
export const mistakes = signal<readonly Mistake[]>([])

/** The shortest time between two checks of a draft, in milliseconds. */
const CHECK_INTERVAL = 400

/** Changes the draft; undefined discards it. */
export function editScenario(changed: ScenarioText | undefined): void {
  const isActive = changed?.text === activeText.value?.text
  const from = base.value ?? { name: scenario.value?.name ?? '', text: activeText.value?.text }
  keepWork(isActive ? { draft: undefined, base: undefined } : { draft: changed, base: changed && from })
  checkDraft()
}

/** Checks the draft while the user types, with the smallest preview. */
const checkDraft = throttle(CHECK_INTERVAL, async () => {
  const text = draft.peek()?.text
  const check = text === undefined ? undefined : control.peek().scenario.preview({ text, tasks: 1 })
  const found = await check?.then(() => [], mistakesOf)
  if (text === draft.peek()?.text) mistakes.value = found ?? []
})

/** Makes the draft the active scenario. */
export async function applyDraft(): Promise<void> {
  const [before, next] = [activeText.value, draft.value]
  if (next !== undefined && (await replace(next)))
    keepWork({ draft: undefined, base: undefined, previous: before })
}

/** Makes a shipped scenario the active one. A draft stays. */
export async function applyShipped(shipped: string): Promise<void> {
  const before = activeText.value
  if (await replace({ text: '', shipped })) keepWork({ previous: before })
}

/** Restores the scenario from before the last change. The present one becomes the draft. */
export async function undoScenario(): Promise<void> {
  const [before, present] = [previous.value, activeText.value]
  if (before !== undefined && (await replace(before)))
    keepWork({ draft: draft.value ?? present, base: undefined, previous: undefined })
}

export function discardDraft(): void {
  editScenario(undefined)
}

/** Keeps the draft, although another scenario has become active. */
export function keepDraft(): void {
  keepWork({ base: { name: scenario.value?.name ?? '', text: activeText.value?.text } })
}

/** @returns whether the scenario is valid, and thus active */
async function replace(next: ScenarioText): Promise<boolean> {
  const choice = next.shipped === undefined ? { text: next.text } : { name: next.shipped }
  try {
    const { name } = await control.value.scenario.replace(choice)
    mistakes.value = []
    notify('good', `Scenario ${name} applied to new tasks.`)
    return true
  } catch (error) {
    const found = mistakesOf(error)
    if (found.length === 0) throw error
    mistakes.value = found
    return false
  } finally {
    active.reload()
  }
}

function mistakesOf(error: unknown): readonly Mistake[] {
  return error instanceof ControlError ? mistakesIn(error.details) : []
}
