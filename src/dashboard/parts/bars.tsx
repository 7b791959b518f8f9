/** A bar of a chart. */
export interface Bar {
  readonly name: string
  readonly value: number
}

const HEIGHT = 56

/** A bar chart; up to 20 values are also in its accessible name. */
export function Bars({
  label,
  bars,
  axis,
}: {
  readonly label: string
  readonly bars: readonly Bar[]
  readonly axis: readonly [string, string]
}) {
  const max = Math.max(0, ...bars.map(({ value }) => value)) || 1
  const step = 100 / Math.max(1, bars.length)
  const values = bars.length > 20 ? '' : `: ${bars.map(({ name, value }) => `${name} ${value}`).join(', ')}`
  return (
    <figure class="bars">
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label + values}>
        {bars.map(({ name, value }, index) => {
          const height = value === 0 ? 0 : Math.max(1.5, (value / max) * HEIGHT)
          return (
            <rect
              key={index}
              class="bar"
              x={index * step + step * 0.08}
              width={step * 0.84}
              y={HEIGHT - height}
              height={height}
            >
              <title>{`${name}: ${value}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption aria-hidden="true">
        <span>{axis[0]}</span>
        <span>{axis[1]}</span>
      </figcaption>
    </figure>
  )
}
