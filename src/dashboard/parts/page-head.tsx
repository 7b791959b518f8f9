import type { ComponentChildren } from 'preact'
import { Definitions } from './blocks.js'
import { CopyButton, CopyMenu, type CopyMenuProps } from './copy.js'

/** The head of the page of an item: its state, its id, a menu that copies it, its title, and facts about it. */
export function PageHead({
  states,
  title,
  note,
  facts,
  children,
  ...copied
}: CopyMenuProps & {
  readonly states: ComponentChildren
  /** A heading. */
  readonly title: ComponentChildren
  /** What is below the title. */
  readonly note?: ComponentChildren
  /** By name; undefined ones are left out. */
  readonly facts: Readonly<Record<string, ComponentChildren>>
  /** What is below the facts. */
  readonly children?: ComponentChildren
}) {
  return (
    <header class="task-head stack">
      <div class="task-states line">
        {states}
        <span class="task-id">
          <code>{copied.id}</code>
          <CopyButton label="Copy ID" text={copied.id} />
        </span>
        <CopyMenu {...copied} />
      </div>
      {title}
      {note}
      <Definitions name="facts" items={Object.entries(facts)} />
      {children}
    </header>
  )
}
