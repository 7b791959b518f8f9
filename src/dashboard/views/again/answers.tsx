import type { ComponentChildren } from 'preact'
import { type ComparedFact, differingHeaders } from '../../model/comparison.js'
import { Card } from '../../parts/blocks.js'
import { LinkButton } from '../../parts/button.js'
import { ComparedFacts, Difference } from '../../parts/comparison.js'

/** An answer: of the service to a request, or of a receiver to a webhook. */
export interface Answer {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

const NAMES = ['First answer', 'New answer'] as const

/** These differ in every answer. */
const CHANGING = ['date', 'x-request-id', 'transfer-encoding', 'connection', 'keep-alive']

/** The editor of something that is sent again, and the two answers below it. */
export function AgainPage({
  title,
  back,
  children,
}: {
  readonly title: string
  /** The address of what is sent again. */
  readonly back: string
  readonly children: ComponentChildren
}) {
  return (
    <article class="task again">
      <header class="actions">
        <h2>{title}</h2>
        <span class="spring" />
        <LinkButton icon="close" href={back}>
          Close
        </LinkButton>
      </header>
      {children}
    </article>
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
