import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Proposal, proposalsAt } from '../../model/editor/completions.js'
import { contextAt, type YamlContext } from '../../model/editor/yaml-context.js'
import { loadScenarioSchema, scenarioSchema } from '../../state/fetched.js'
import { type CaretPlace, placeOf, typeInto } from './text-area.js'

/** The proposals at the cursor of the editor. */
export interface OpenList {
  readonly proposals: readonly Proposal[]
  readonly active: number
  readonly context: YamlContext
  readonly place: CaretPlace
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

/** Completes keys and values while the user types. */
export function useCompletion(
  area: { readonly current: HTMLTextAreaElement | null },
  names: Readonly<Record<string, readonly string[]>>,
) {
  const list = useSignal<OpenList | undefined>(undefined)

  const close = () => {
    list.value = undefined
  }
  /** Shows the proposals, without a word only if they are wanted. */
  const open = (isWanted: boolean) => {
    const found = area.current === null ? undefined : listAt(area.current, names)
    const [first] = found?.proposals ?? []
    const { word = '' } = found?.context ?? {}
    const isDone = found?.proposals.length === 1 && !first?.isKey && first?.label === word
    list.value = first !== undefined && (isWanted || (word !== '' && !isDone)) ? found : undefined
  }
  useEffect(() => {
    void loadScenarioSchema().then(() => document.activeElement === area.current && open(false))
  }, [])
  const accept = (proposal: Proposal) => {
    const { context } = list.value ?? {}
    close()
    if (area.current === null || context === undefined) return
    typeInto(area.current, context.from, context.to, proposal.insert, proposal.back)
    if (proposal.isKey && !context.isEntry) open(true)
    else close()
  }
  const move = (current: OpenList, step: number) => {
    const last = current.proposals.length - 1
    const next = current.active + step
    const active = Math.abs(step) > 1 ? Math.max(0, Math.min(last, next)) : (next + last + 1) % (last + 1)
    list.value = { ...current, active }
  }
  return {
    list: list.value,
    close,
    accept,
    /** Updates the list after an input of the user. */
    follow(event: InputEvent) {
      if (event.inputType === 'insertText' || list.value !== undefined) open(false)
    },
    /** Moves the list with the text when that is scrolled. */
    scroll() {
      const current = list.value
      if (current === undefined || area.current === null) return
      list.value = { ...current, place: placeOf(area.current, current.context.from) }
    },
    /** Closes the list if the cursor has left the word. */
    leave(cursor: number) {
      const { from = 0, to = Infinity } = list.value?.context ?? {}
      if (cursor < from || cursor > to) close()
    },
    /** Handles a key. Returns whether it did something. */
    press({ key, ctrlKey, shiftKey, altKey, metaKey }: KeyboardEvent): boolean {
      const current = list.value
      if (key === ' ' && ctrlKey) open(true)
      else if (current === undefined || ctrlKey || altKey || metaKey || shiftKey) return false
      else if (Object.hasOwn(STEPS, key)) move(current, STEPS[key] ?? 0)
      else if (key === 'Escape') close()
      else if (key === 'Enter' || key === 'Tab') accept(current.proposals[current.active] as Proposal)
      else return false
      return true
    },
  }
}

function listAt(
  area: HTMLTextAreaElement,
  names: Readonly<Record<string, readonly string[]>>,
): OpenList | undefined {
  const { value, selectionStart, selectionEnd } = area
  const schema = scenarioSchema.peek()
  const context = selectionStart === selectionEnd ? contextAt(value, selectionStart) : undefined
  if (schema === undefined || context === undefined) return undefined
  const proposals = proposalsAt(schema, context, names)
  return { proposals, active: 0, context, place: placeOf(area, context.from) }
}
