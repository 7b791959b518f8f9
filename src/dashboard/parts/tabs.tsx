import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface Tab {
  readonly id: string
  readonly label: string
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  Home: -Infinity,
  End: Infinity,
}

/** Tabs with the panel of the selected one. The arrow keys select another tab. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly selected: string
  readonly onSelect: (id: string) => void
  /** The content of the panel. */
  readonly children: ComponentChildren
}) {
  const panel = useId()
  const list = useRef<HTMLDivElement>(null)
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = tabs.findIndex(({ id }) => id === selected) + step
    const next = Number.isFinite(index)
      ? (index + tabs.length) % tabs.length
      : index < 0
        ? 0
        : tabs.length - 1
    onSelect(tabs[next]?.id ?? selected)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div class="tabs">
      <div ref={list} class="segments" role="tablist" aria-label={label} onKeyDown={press}>
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={id === selected}
            aria-controls={panel}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div
        id={panel}
        class="tab-panel"
        role="tabpanel"
        aria-label={tabs.find(({ id }) => id === selected)?.label}
      >
        {children}
      </div>
    </div>
  )
}
