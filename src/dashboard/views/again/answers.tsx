import type { ComponentChildren } from 'preact'
import { type ComparedFact, differingHeaders } from '../../model/comparison.js'
import type { View } from '../../model/routes.js'
import { Card, Loading, NotFound } from '../../parts/blocks.js'
import { Button, LinkButton, SendButton } from '../../parts/button.js'
import { ComparedFacts, Difference } from '../../parts/comparison.js'
import type { Edited } from '../../state/edits.js'
import type { Fetched } from '../../state/fetched.js'
import { linkTo, route } from '../../state/route.js'

/** An answer: of the service to a request, or of a receiver to a webhook. */
export interface Answer {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

const NAMES = ['First answer', 'New answer'] as const

/** These differ in every answer. */
const CHANGING = ['date', 'x-request-id', 'transfer-encoding', 'connection', 'keep-alive']

/** The editor of something that is sent again, and the two answers below it. */
export function AgainPage<Value>({
  what,
  view,
  id,
  found: { value, error },
  children,
}: {
  /** What is sent again, such as `request`. */
  readonly what: string
  readonly view: View
  readonly id: string
  readonly found: Fetched<Value>
  readonly children: (value: Value) => ComponentChildren
}) {
  const { again: _, ...query } = route.value.query
  return (
    <article class="task stack again">
      <header class="actions">
        <h2>Send again</h2>
        <span class="spring" />
        <LinkButton icon="close" href={linkTo({ view, id, query })}>
          Close
        </LinkButton>
      </header>
      {error !== undefined ? (
        <NotFound what={what} error={error} list={linkTo({ view })} />
      ) : value === undefined ? (
        <Loading what={`The ${what}`} />
      ) : (
        children(value)
      )}
    </article>
  )
}

/** The card with the form of what is sent again. What a person has changed is kept until it is discarded. */
export function AgainForm({
  title,
  edited: { isChanged, discard },
  isFlawed,
  onSend,
  children,
}: {
  readonly title: string
  readonly edited: Pick<Edited<object>, 'isChanged' | 'discard'>
  readonly isFlawed: boolean
  readonly onSend: () => unknown
  readonly children: ComponentChildren
}) {
  return (
    <Card
      title={title}
      aside={
        <>
          {isChanged && <Button onPress={discard}>Discard changes</Button>}
          <SendButton what={title.toLowerCase()} isDisabled={isFlawed} onPress={onSend}>
            Send
          </SendButton>
        </>
      }
    >
      {children}
    </Card>
  )
}

/** The first and the new answer side by side. */
export function Answers({
  facts,
  answers: [first, second],
  children,
}: {
  readonly facts: readonly ComparedFact[]
  readonly answers: readonly [Answer, Answer]
  /** Links to what was sent. */
  readonly children: ComponentChildren
}) {
  const headers = differingHeaders(first.headers, second.headers).filter(
    ({ name }) => !CHANGING.includes(name),
  )
  return (
    <Card title="Answers" aside={children}>
      <ComparedFacts facts={facts.filter(({ values }) => values.some(Boolean))} names={NAMES} />
      {headers.length > 0 && (
        <>
          <h3>Headers that differ</h3>
          <ComparedFacts facts={headers} names={NAMES} />
        </>
      )}
      <h3>Body</h3>
      <Difference label="Body of the answer" names={NAMES} values={[first.body ?? '', second.body ?? '']} />
    </Card>
  )
}
