import { count, share, stateLabel } from '../../model/format.js'
import { Icon, iconFor } from '../../parts/icon.js'

/** A stacked bar with a legend of counts and percentages. */
export function ShareBar({
  label,
  parts,
}: {
  readonly label: string
  readonly parts: readonly (readonly [string, number])[]
}) {
  const total = parts.reduce((sum, [, value]) => sum + value, 0)
  let x = 0
  return (
    <div class="shares">
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${parts.map(([name, value]) => `${stateLabel(name)} ${value}`).join(', ')}`}
      >
        <rect class="share" width="100" height="6" />
        {parts.map(([name, value]) => {
          const width = total === 0 ? 0 : (value / total) * 100
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
            <span>{stateLabel(name)}</span>
            <b>{count(value)}</b>
            <small>{share(value, total)}</small>
          </li>
        ))}
      </ul>
    </div>
  )
}
