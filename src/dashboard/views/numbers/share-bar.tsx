import { count, share } from '../../model/format.js'
import { Icon, iconFor } from '../../parts/icon.js'

/** Parts of a whole, lying one after the other, each named below with its number. */
export function ShareBar({
  label,
  parts,
}: {
  readonly label: string
  readonly parts: readonly (readonly [string, number])[]
}) {
  const whole = parts.reduce((sum, [, value]) => sum + value, 0)
  let x = 0
  return (
    <div class="shares">
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${parts.map(([name, value]) => `${name} ${value}`).join(', ')}`}
      >
        <rect class="share" width="100" height="6" />
        {parts.map(([name, value]) => {
          const width = whole === 0 ? 0 : (value / whole) * 100
          x += width
          return (
            <rect
              key={name}
              class={`share share-${name}`}
              x={x - width}
              width={Math.max(0, width - 0.4)}
              height="6"
            />
          )
        })}
      </svg>
      <ul>
        {parts.map(([name, value]) => (
          <li key={name} class={`state state-${name}`}>
            <Icon name={iconFor(name)} />
            <span>{name.replace('_', ' ')}</span>
            <b>{count(value)}</b>
            <small>{share(value, whole)}</small>
          </li>
        ))}
      </ul>
    </div>
  )
}
