import { count as formatCount } from '../../model/format.js'
import { Card } from '../../parts/card.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { linkTo } from '../../state/route.js'
import { findings } from '../../state/session.js'

const MAX_SHOWN = 5

/** The most severe mistakes of the client. */
export function TopFindings() {
  const found = findings.value ?? []
  return (
    <Card
      title="Findings"
      aside={found.length > MAX_SHOWN && <a href={linkTo({ view: 'findings' })}>All {found.length}</a>}
    >
      {found.length === 0 && <p class="hint">tasksim found no mistake of the client.</p>}
      <ul class="brief">
        {found.slice(0, MAX_SHOWN).map(({ id, title, severity, count }) => (
          <li key={id}>
            <a class={`brief-item severity-${severity}`} href={linkTo({ view: 'findings', id })}>
              <Icon name={iconFor(severity)} />
              <span>
                <span class="visually-hidden">{severity}: </span>
                {title}
              </span>
              <b>
                {formatCount(count)}
                <span class="visually-hidden"> times</span>
              </b>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
