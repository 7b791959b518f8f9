/** A tick in a disc. */
const good = (
  <>
    <circle cx="8" cy="8" r="6.3" fill="currentColor" stroke="none" />
    <path d="m5.2 8.2 1.9 1.9 3.7-4" class="cut" />
  </>
)

/** A cross in an octagon. */
const bad = (
  <>
    <path d="M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4z" fill="currentColor" stroke="none" />
    <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" class="cut" />
  </>
)

/** The icons: 16 by 16 pixels, in the color of the surrounding text. */
const ICONS = {
  queued: <circle cx="8" cy="8" r="5.5" stroke-dasharray="2.4 2.2" />,
  processing: (
    <>
      <circle cx="8" cy="8" r="5.5" opacity="0.3" />
      <path d="M8 2.5a5.5 5.5 0 0 1 5.5 5.5" />
      <circle cx="8" cy="8" r="1.5" fill="currentColor" stroke="none" />
    </>
  ),
  succeeded: good,
  failed: bad,
  canceled: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="m4.2 11.8 7.6-7.6" />
    </>
  ),
  held: <path d="M5.5 3v10m5-10v10" stroke-width="2.4" />,
  pending: <path d="M4.5 2.5h7m-7 11h7M5.5 2.5c0 3 5 4 5 5.5s-5 2.5-5 5.5m5-11c0 3-5 4-5 5.5s5 2.5 5 5.5" />,
  delivered: good,
  given_up: bad,
  lost: <path d="M2.5 8h2m2 0h3m2 0h2M8 3v1.5m0 7V13" stroke-dasharray="2 1.5" />,
  overview: <path d="M2.5 3.5h6m-3 4.5h7m-3 4.5h4" stroke-width="2" />,
  tasks: <path d="M2.5 4h1m-1 4h1m-1 4h1M6 4h7.5M6 8h7.5M6 12h7.5" />,
  requests: <path d="M2.5 5.2h10.2M10 2.5l2.8 2.7L10 8M13.5 10.8H3.3M6 8.1l-2.8 2.7L6 13.5" />,
  webhooks: (
    <path d="M6.4 5.2 4.3 9m3.4-4 2 3.6M6 11.5h4.2M5.2 4a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M2 11a1.8 1.8 0 1 0 3.6 0A1.8 1.8 0 1 0 2 11m8.4 0a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0" />
  ),
  findings: <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9m3.3 7.8 3.2 3.2M7 4.8v2.7m0 1.6v.1" />,
  sandbox: <path d="M2.5 5 8 2l5.5 3v6L8 14l-5.5-3zM2.5 5 8 8l5.5-3M8 8v6" />,
  scenario: <path d="M4 1.8h5.5L12.5 5v9.2H4zM9.3 2v3.2h3M6 8h4.5M6 11h3" />,
  pause: <path d="M5.5 3.5v9m5-9v9" stroke-width="2" />,
  play: <path d="M5 3.2v9.6l7.5-4.8z" fill="currentColor" />,
  next: <path d="M4 3.5v9L10 8zM12 3.5v9" />,
  copy: <path d="M5.5 5.5h8v8h-8zM10.5 3v-.5h-8v8H3" />,
  done: <path d="m3.5 8.5 3 3 6-7" />,
  close: <path d="m4 4 8 8m0-8-8 8" />,
  search: <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9m3.3 7.8 3.2 3.2" />,
  sun: (
    <path d="M8 5a3 3 0 1 0 0 6 3 3 0 1 0 0-6m0-3.5V3m0 10v1.5M1.5 8H3m10 0h1.5M3.4 3.4l1 1m7.2 7.2 1 1m0-9.2-1 1m-7.2 7.2-1 1" />
  ),
  moon: <path d="M13 9.8A5.6 5.6 0 0 1 6.2 3 5.6 5.6 0 1 0 13 9.8z" />,
  back: <path d="M9.5 3.5 5 8l4.5 4.5" />,
  open: <path d="m6.5 3.5 4.5 4.5-4.5 4.5" />,
  save: <path d="M8 2.5v7.3M4.8 6.8 8 10l3.2-3.2M2.8 13.2h10.4" />,
  down: <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />,
  again: <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.7h-2.7" />,
  add: <path d="M8 3v10M3 8h10" />,
  bin: <path d="M2.8 4.5h10.4M6.3 4.3V2.7h3.4v1.6M4.3 4.5l.6 9h6.2l.6-9" />,
  help: (
    <path d="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 1 0 8 1.8M6.2 6.3c.2-2.4 3.8-2.2 3.6 0C9.7 7.6 8 7.5 8 9.2m0 2v.1" />
  ),
  reference: (
    <path d="M8 3.8C6.6 2.9 4.6 2.6 2.2 2.8v9.6c2.4-.2 4.4.1 5.8 1 1.4-.9 3.4-1.2 5.8-1V2.8c-2.4-.2-4.4.1-5.8 1zm0 0v9.4" />
  ),
  error: (
    <>
      <path d="M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4z" fill="currentColor" stroke="none" />
      <path d="M8 4.8v3.8m0 2.3v.1" class="cut" />
    </>
  ),
  compare: <path d="M2.5 3h4v10h-4zM9.5 3h4v10h-4zM4.5 6v1m0 2v1m7-4v1m0 2v1" />,
  record: <circle cx="8" cy="8" r="5" fill="currentColor" stroke="none" />,
  warning: (
    <>
      <path d="M8 1.8 15 14H1z" fill="currentColor" stroke="none" />
      <path d="M8 6.2v3.4m0 2v.1" class="cut" />
    </>
  ),
  note: (
    <>
      <circle cx="8" cy="8" r="6.3" fill="currentColor" stroke="none" />
      <path d="M8 7.3v3.7M8 5v.1" class="cut" />
    </>
  ),
} as const

export type IconName = keyof typeof ICONS

/** A decorative icon next to a text with the same meaning, so hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {ICONS[name]}
    </svg>
  )
}

/** The icon for a state or severity from the server. */
export function iconFor(name: string): IconName {
  return Object.hasOwn(ICONS, name) ? (name as IconName) : 'note'
}
