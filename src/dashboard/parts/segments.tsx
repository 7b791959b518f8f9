import { KEYS, nextItem } from '../model/menu-keys.js'

/** A few choices side by side, one of which is chosen: the arrow keys choose the next one. */
export function Segments<Id extends string>({
  label,
  choices,
  chosen,
  panel,
  onChoose,
}: {
  readonly label: string
  readonly choices: readonly { readonly id: Id; readonly label: string; readonly title?: string }[]
  readonly chosen: Id
  /** The id of the element that shows what is chosen: with one, the choices are tabs. */
  readonly panel?: string
  readonly onChoose: (id: Id) => void
}) {
  const isTabs = panel !== undefined
  const press = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    if (!KEYS.includes(event.key)) return
    event.preventDefault()
    const current = choices.findIndex(({ id }) => id === chosen)
    const next = nextItem(choices.length, current, event.key)
    const choice = choices[next]
    if (choice !== undefined) onChoose(choice.id)
    event.currentTarget.parentElement?.querySelectorAll('button')[next]?.focus()
  }
  const group = { role: isTabs ? 'tablist' : 'radiogroup', 'aria-label': label } as const
  return (
    <div class="segments" {...group}>
      {choices.map(({ id, label, title }) => (
        <button
          key={id}
          type="button"
          role={isTabs ? 'tab' : 'radio'}
          title={title}
          tabIndex={id === chosen ? 0 : -1}
          {...(isTabs
            ? { 'aria-selected': id === chosen, 'aria-controls': panel }
            : { 'aria-checked': id === chosen })}
          onKeyDown={press}
          onClick={() => onChoose(id)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
