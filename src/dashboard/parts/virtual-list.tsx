import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { changesAbove, type Place } from '../model/changes.js'
import type { Route } from '../model/routes.js'
import { scrollTo, slotCount, virtualWindow } from '../model/virtual-window.js'
import { changes } from '../state/changes.js'
import { linkTo, navigate, sandbox } from '../state/route.js'
import { innermost, TEXT_FIELD, useSize } from './hooks.js'

/** The form of the rows. */
export interface RowForm {
  /** The class of the rows, and the start of their ids. */
  readonly name: string
  /** The height of a row in pixels, as in the stylesheet. */
  readonly height: number
}

/** The rows of the main list of a view, whose keys work wherever the focus is. */
const MAIN_ROW: RowForm = { name: 'row', height: 60 }

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

/** What takes the keys itself. */
const TAKES_KEYS = `${TEXT_FIELD}, [data-list]`

interface Item {
  readonly id: string
}

/** A list of which only the visible rows are rendered. Keys move through it, and Enter opens an item. */
export function VirtualList<Of extends Item>({
  items,
  label,
  openId,
  form = MAIN_ROW,
  routeOf,
  placeOf,
  children,
}: {
  readonly items: readonly Of[]
  readonly label: string
  /** The id of the open item. */
  readonly openId: string | undefined
  readonly form?: RowForm
  /** Where an item leads to. */
  readonly routeOf: (id: string) => Pick<Route, 'view'> & Partial<Route>
  /** Where an item stands among the changes of scenario and clock, which are marked above it. */
  readonly placeOf?: (item: Of) => Place
  /** Renders the content of a row. */
  readonly children: (item: Of) => JSX.Element
}) {
  const { name, height: rowHeight } = form
  const [box, { height: viewHeight }] = useSize()
  // Whole rows, so that the list renders only when another row comes into view.
  const topRow = useSignal(0)
  const active = useSignal<string | undefined>(openId)
  useKeptPosition(box, items, topRow.value, rowHeight)
  useListPosition(box, label)

  const index = active.value === undefined ? -1 : items.findIndex(({ id }) => id === active.value)
  useOpenInView(box, items, openId, rowHeight)
  const move = (step: number) => {
    const next = Math.min(items.length - 1, Math.max(0, index === -1 ? 0 : index + step))
    const item = items[next]
    if (item === undefined || box.current === null) return
    active.value = item.id
    box.current.scrollTop = scrollTo(next, rowHeight, box.current.scrollTop, box.current.clientHeight)
    // On wide screens, the open item follows the active row.
    if (openId !== undefined) navigate(routeOf(item.id), true)
  }
  const press = (event: KeyboardEvent) => {
    const step = Object.hasOwn(STEPS, event.key) ? STEPS[event.key] : undefined
    if (step !== undefined) move(step)
    else if (event.key === 'Enter' && index !== -1) navigate(routeOf(active.value ?? ''))
    else return
    event.preventDefault()
  }
  useEffect(() => {
    if (form !== MAIN_ROW) return
    const pressAnywhere = (event: KeyboardEvent) => {
      if (event.key !== 'j' && event.key !== 'k') return
      const target = innermost(event)
      if (!(target instanceof Element) || target.matches(TAKES_KEYS)) return
      box.current?.focus()
      press(event)
    }
    document.addEventListener('keydown', pressAnywhere)
    return () => document.removeEventListener('keydown', pressAnywhere)
  })

  const { first, end, offset, height } = virtualWindow(
    items.length,
    rowHeight,
    topRow.value * rowHeight,
    viewHeight,
  )
  const slots = slotCount(rowHeight, viewHeight)
  return (
    <div
      ref={box}
      data-list
      class="list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={index >= first && index < end ? `${name}-${active.value}` : undefined}
      onKeyDown={press}
      onScroll={({ currentTarget }) => {
        topRow.value = Math.floor(currentTarget.scrollTop / rowHeight)
      }}
    >
      <div class="list-all" role="presentation" style={{ height: `${height}px` }}>
        <div class="list-seen" role="presentation" style={{ transform: `translateY(${offset}px)` }}>
          {items.slice(first, end).map((item, row) => (
            <a
              href={linkTo(routeOf(item.id))}
              tabIndex={-1}
              // Rows that leave the view become the rows that enter it. New items at the top move no other row.
              key={(items.length - first - row) % slots}
              id={`${name}-${item.id}`}
              class={`${name}${item.id === active.value ? ` ${name}-active` : ''}`}
              role="option"
              aria-selected={item.id === openId}
              aria-posinset={first + row + 1}
              aria-setsize={items.length}
              onClick={(event) => {
                // The browser opens a new tab or window itself.
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                active.value = item.id
                box.current?.focus({ preventScroll: true })
                navigate(routeOf(item.id))
              }}
            >
              {placeOf !== undefined && (
                <Changes item={item} newer={items[first + row - 1]} placeOf={placeOf} />
              )}
              {children(item)}
            </a>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Marks the changes of scenario and clock between an item and the next newer one; nothing if there is none. */
function Changes<Of>({
  item,
  newer,
  placeOf,
}: {
  readonly item: Of
  readonly newer: Of | undefined
  readonly placeOf: (item: Of) => Place
}) {
  const found = changesAbove(changes.value, placeOf(item), newer && placeOf(newer))
  const last = found.at(-1)
  if (last === undefined) return null
  const labels = found.map(({ label }) => label)
  const shown = [...new Set(labels.slice(-MOST_LABELS))].join(', ')
  return (
    <span class="row-changes one-line" title={labels.join('\n')}>
      <span class="visually-hidden">Afterwards: </span>
      {shown}
      {found.length > MOST_LABELS && ` and ${found.length - MOST_LABELS} more`}
    </span>
  )
}

const MOST_LABELS = 2

type Box = { readonly current: HTMLElement | null }

/** Scrolls to an item that was open before the list appeared, such as that of a link. */
function useOpenInView(
  box: Box,
  items: readonly Item[],
  openId: string | undefined,
  rowHeight: number,
): void {
  const isDone = useRef(openId === undefined)
  useLayoutEffect(() => {
    const index = isDone.current ? -1 : items.findIndex(({ id }) => id === openId)
    if (index === -1 || box.current === null) return
    isDone.current = true
    // After a reload nothing has the focus, and the keys would not reach the list.
    if (document.activeElement === document.body) box.current.focus({ preventScroll: true })
    box.current.scrollTop = scrollTo(index, rowHeight, box.current.scrollTop, box.current.clientHeight)
  }, [items, openId])
}

/** Keeps the visible rows in place when new items appear above them. It reads no layout, which would be slow. */
function useKeptPosition(box: Box, items: readonly Item[], topRow: number, rowHeight: number): void {
  const before = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const added = before.current === undefined ? 0 : items.findIndex(({ id }) => id === before.current)
    if (box.current !== null && added > 0 && topRow > 0) box.current.scrollTop += added * rowHeight
    before.current = items[0]?.id
  }, [items])
}

const positions = new Map<string, number>()

/** Returns to the scroll position that a list had when it disappeared, such as behind another view. */
function useListPosition(box: { readonly current: HTMLElement | null }, name: string): void {
  useLayoutEffect(() => {
    const list = box.current
    if (list === null) return
    const key = `${sandbox.peek() ?? ''} ${name}`
    list.scrollTop = positions.get(key) ?? 0
    return () => positions.set(key, list.scrollTop)
  }, [])
}
