import type { ComponentChildren } from 'preact'

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
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {aside !== undefined && <div class="card-aside">{aside}</div>}
      </header>
      {children}
    </section>
  )
}
