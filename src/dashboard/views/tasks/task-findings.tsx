import { Card } from '../../parts/blocks.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo } from '../../state/route.js'
import { checkedFrom, control, findings } from '../../state/session.js'
import { Occurrence } from '../findings/occurrence.js'

/** The mistakes of the client with one task, and how to fix them; nothing if there are none. */
export function TaskFindings({ id }: { readonly id: string }) {
  const version = findings.value?.map(({ id, count }) => `${id} ${count}`).join()
  const { value: about } = useFetched(`findings ${id}`, version, async () => {
    // The server looks for the mistakes with one task only if there are any.
    if (!version) return undefined
    const since = checkedFrom.value
    return control.value.verdict({ task: id, ...(since && { since }) })
  })
  if (about === undefined || about.findings.length === 0) return null
  return (
    <Card title="Findings">
      <ul class="task-findings">
        {about.findings.map(({ id: rule, severity, title, remedy, evidence }) => (
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
