import { findingsAbout } from '../../model/findings.js'
import { Card } from '../../parts/blocks.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo } from '../../state/route.js'
import { control, findings } from '../../state/session.js'
import { Occurrence } from '../findings/occurrence.js'

/** The mistakes of the client with one task, and how to fix them; nothing if there are none. */
export function TaskFindings({ id }: { readonly id: string }) {
  const known = findings.value ?? []
  // A finding has only its first occurrences, which may not include those of this task.
  const isCut = known.some(({ count, evidence }) => count > evidence.length)
  const { value: own } = useFetched(`findings ${id} ${isCut}`, known, async () =>
    isCut ? (await control.value.verdict({ task: id })).findings : undefined,
  )
  const found = findingsAbout(own ?? known, id)
  if (found.length === 0) return null
  return (
    <Card title="Findings">
      <ul class="task-findings">
        {found.map(({ id: rule, severity, title, remedy, evidence }) => (
          <li key={rule}>
            <h3 class={`line severity-${severity}`}>
              <Icon name={iconFor(severity)} />
              <span class="visually-hidden">{severity}: </span>
              {title}
              <a href={linkTo({ view: 'findings', id: rule })}>{rule}</a>
            </h3>
            <ul class="evidence">
              {evidence.map((each, index) => (
                <Occurrence key={index} evidence={each} isOnTask />
              ))}
            </ul>
            <p class="remedy box">
              <b>Remedy</b> {remedy}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
