import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { capitalized } from '../model/format.js'
import type { View } from '../model/routes.js'
import { Empty, Loading } from '../parts/blocks.js'
import { LinkButton } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import type { Fetched } from '../state/fetched.js'
import { linkTo } from '../state/route.js'

/** The page of an item, or of something about it, as soon as the item is loaded. */
export function ItemPage<Value>({
  what,
  view,
  head,
  found: { value, error },
  gone = '',
  children,
}: {
  /** What the item is, such as `task`. */
  readonly what: string
  readonly view: View
  /** Is shown from the start: the way to the list, or to the item. */
  readonly head: ComponentChildren
  readonly found: Pick<Fetched<Value>, 'value' | 'error'>
  /** Why an item may not exist any more. */
  readonly gone?: string
  readonly children: (value: Value) => ComponentChildren
}) {
  return (
    <article class="task stack">
      {head}
      {error !== undefined ? (
        <Empty icon="search" title={`${capitalized(what)} not found`}>
          <p>
            {error} {gone}
          </p>
          <p>
            <a href={linkTo({ view })}>Show all {what === 'delivery' ? 'deliveries' : `${what}s`}</a>
          </p>
        </Empty>
      ) : value === undefined ? (
        <Loading what={`The ${what}`} />
      ) : (
        children(value)
      )}
    </article>
  )
}

/** The way back to the list, where it is not beside the item. */
export function BackLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a class="back" href={href}>
      <Icon name="back" /> {children}
    </a>
  )
}

/** The title of something about an item, with a link back to the item. It gets the focus, because the link to it is gone. */
export function SubPageHead({
  title,
  href,
  children,
}: {
  readonly title: string
  /** The address of the item. */
  readonly href: string
  /** What is beside the title. */
  readonly children?: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <header class="actions">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <span class="spring" />
      {children}
      <LinkButton icon="close" href={href}>
        Close
      </LinkButton>
    </header>
  )
}
