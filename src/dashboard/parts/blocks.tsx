import type { ComponentChildren } from 'preact'
import { connection } from '../state/session.js'
import { CopyButton } from './copy.js'
import { Icon, type IconName } from './icon.js'

/** A section with a heading. */
export function Card({
  title,
  aside,
  children,
}: {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="card stack" aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {aside !== undefined && <div class="card-aside">{aside}</div>}
      </header>
      {children}
    </section>
  )
}

/** A placeholder for an empty view, with the next step. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Terms with what they stand for. An undefined one is left out. */
export function Definitions({
  name,
  items,
}: {
  /** The class. */
  readonly name?: string
  readonly items: readonly (readonly [term: ComponentChildren, text: ComponentChildren])[]
}) {
  return (
    <dl class={name}>
      {items.map(([term, text], index) =>
        text === undefined ? null : (
          <div key={index}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Stands for something that is not there yet. */
export function Loading({ what }: { readonly what: string }) {
  if (connection.value !== 'lost') return <p class="hint">Loading…</p>
  return (
    <Empty icon="lost" title="The server does not answer">
      <p>{what} will appear when the server answers again.</p>
    </Empty>
  )
}

/** Preformatted text with a copy button. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section class="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </section>
  )
}
