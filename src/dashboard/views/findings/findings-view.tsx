import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import type { FindingShape } from '../../../control/shapes.js'
import { counted } from '../../../engine/counted.js'
import { neverAppliedIn, notApplicableIn, notObservedIn } from '../../model/findings.js'
import { count as formatCount } from '../../model/format.js'
import { Instant } from '../../parts/badges.js'
import { Definitions, Empty, Loading } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { CopyButton, CopyMenu } from '../../parts/copy.js'
import { setTo, useAnchor } from '../../parts/hooks.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { now } from '../../state/clock.js'
import { useFetched } from '../../state/fetched.js'
import { checkFrom } from '../../state/live.js'
import { linkTo, route } from '../../state/route.js'
import { checkedFrom, control, findings, recording, simulator, verdict } from '../../state/session.js'
import { Occurrence } from './occurrence.js'

const SEVERITIES = [
  ['error', 'Errors', 'cost money or lose results'],
  ['warning', 'Warnings', 'are risks in production'],
  ['note', 'Notes', 'are advice'],
] as const

/** The mistakes of the client under test, with evidence. */
export function FindingsView() {
  const found = findings.value
  if (found === undefined) return <Loading what="The findings" />
  const { id } = route.value
  return (
    <div class="findings stack">
      <CheckFrom />
      {id !== undefined && !found.some((finding) => finding.id === id) && <NotFound id={id} />}
      {found.length === 0 && <NoFindings />}
      {SEVERITIES.map(([severity, title, meaning]) => {
        const group = found.filter((finding) => finding.severity === severity)
        if (group.length === 0) return null
        return (
          <section key={severity} class="stack">
            <h2 class={`severity severity-${severity}`}>
              <Icon name={iconFor(severity)} /> {title} <small>{meaning}</small>
            </h2>
            {group.map((finding) => (
              <Finding key={finding.id} finding={finding} />
            ))}
          </section>
        )
      })}
      <Untested />
      {recording.value === undefined && <Exploration />}
    </div>
  )
}

/** Each run of an exploration has a simulator of its own, so this page cannot show it. */
function Exploration() {
  const command = 'npx tasksim explore --ui -- COMMAND'
  return (
    <p class="muted with-copy">
      To run your client once for each failure of each request, with a page of the results:{' '}
      <code>{command}</code> <CopyButton label="Copy the command" text={command} />
    </p>
  )
}

/** The page checks again while requests arrive, so a finding of a link may disappear, and appear again. */
function NotFound({ id }: { readonly id: string }) {
  return (
    <p class="box box-accent line" role="status">
      <Icon name="note" />
      <span>
        The client has not made the mistake <code>{id}</code> since the start or the last reset of this
        simulator. <a href={linkTo({ view: 'findings' })}>Show all findings</a>
      </span>
    </p>
  )
}

function NoFindings() {
  const { requests = 0 } = simulator.value ?? {}
  const server = recording.value === undefined ? 'simulator' : 'proxy'
  return (
    <Empty icon="findings" title={requests === 0 ? 'No requests yet' : 'No findings'}>
      <p>
        {requests === 0
          ? `Send requests from your app to the ${server}. Mistakes of the app appear here, such as polling too fast or sending the API key to the file host.`
          : `tasksim found no mistake of the client in ${counted(requests, 'request')}. It checks further requests as they arrive.`}
      </p>
    </Empty>
  )
}

function Finding({ finding }: { readonly finding: FindingShape }) {
  const { id, title, why, remedy, count, severity, last_at: last } = finding
  const test = { label: 'Vitest test', note: 'to fill in', text: () => control.value.findingTest(id) }
  const isNamed = route.value.id === id
  const element = useAnchor<HTMLElement>(isNamed)
  return (
    <article
      ref={element}
      class={`card stack finding finding-${severity}${isNamed ? ' named' : ''}`}
      tabIndex={isNamed ? -1 : undefined}
      aria-labelledby={`finding-${id}`}
    >
      <header class="card-head">
        <h3 id={`finding-${id}`}>{title}</h3>
        <span class="card-aside">
          <code>{id}</code>
          <CopyMenu
            of="this finding"
            view="findings"
            id={id}
            value={finding}
            jsonNote="with its evidence"
            items={recording.value === undefined ? [test] : []}
          />
        </span>
      </header>
      <p>{why}</p>
      <p class="remedy box">
        <b>Remedy</b> {remedy}
      </p>
      <details open={count <= 3}>
        <summary>
          {counted(count, 'occurrence')}, last <Instant at={last} />
        </summary>
        <Occurrences finding={finding} />
      </details>
    </article>
  )
}

/** The occurrences of a finding, newest first: the latest ones, and all of them once a person asks for them. */
function Occurrences({ finding: { id, evidence, count } }: { readonly finding: FindingShape }) {
  const isWhole = useSignal(false)
  const { value: all = evidence } = useFetched(`whole ${id} ${isWhole.value}`, count, async () => {
    if (!isWhole.value) return undefined
    const since = checkedFrom.value
    const { findings } = await control.value.verdict({ whole: id, newest: 'true', ...(since && { since }) })
    return findings.find((finding) => finding.id === id)?.evidence
  })
  return (
    <>
      <ul class="evidence">
        {all.map((each, index) => (
          <Occurrence key={index} evidence={each} />
        ))}
      </ul>
      {count > all.length && !isWhole.value && (
        <Button icon="down" onPress={setTo(isWhole, true)}>
          Show all {formatCount(count)}
        </Button>
      )}
    </>
  )
}

/** Checks the client only from now on, such as after a fix, and without a reset. */
function CheckFrom() {
  const since = checkedFrom.value
  return (
    <p class="actions">
      {since === undefined ? (
        <Button icon="again" onPress={() => checkFrom(new Date(now.peek()).toISOString())}>
          Check from now
        </Button>
      ) : (
        <>
          <span>
            Only mistakes since <Instant at={since} />
          </span>
          <Button icon="close" onPress={() => checkFrom(undefined)}>
            Show all
          </Button>
        </>
      )}
    </p>
  )
}

/** What the client has had no occasion for: rules and faults of the scenario, and rules of findings. */
function Untested() {
  const { checked = [], applied = [] } = verdict.value ?? {}
  const neverApplied = neverAppliedIn(applied)
  const notObserved = notObservedIn(checked)
  const count = notObserved.reduce((sum, { ids }) => sum + ids.length, 0)
  return (
    <>
      <Folded
        title={`${counted(neverApplied.length, 'rule')} of the scenario never applied`}
        hint="They have tested nothing yet. Check their conditions, and whether the client sends such requests."
        items={neverApplied.map(({ name, definition }) => [name, <code key={name}>{definition}</code>])}
      />
      <Folded
        title={`${counted(count, 'mistake')} could not be observed`}
        hint="The client has had no occasion for these mistakes. What gives it one:"
        items={notObserved.map(({ text, ids }) => [ids.join(', '), text])}
      />
      <ul class="unchecked">
        {notApplicableIn(checked).map(({ text, ids }) => (
          <li key={text}>
            {text} Not checked: {ids.join(', ')}.
          </li>
        ))}
      </ul>
    </>
  )
}

/** A list that is closed at first; nothing if it is empty. */
function Folded({
  title,
  hint,
  items,
}: {
  readonly title: string
  readonly hint: string
  readonly items: readonly (readonly [term: string, text: ComponentChild])[]
}) {
  if (items.length === 0) return null
  return (
    <details class="card stack folded">
      <summary>{title}</summary>
      <p class="hint">{hint}</p>
      <Definitions items={items} />
    </details>
  )
}
