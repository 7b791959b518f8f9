import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { compareFacts } from '../../model/comparison.js'
import type { View } from '../../model/routes.js'
import { Card } from '../../parts/blocks.js'
import { Button, MainButton } from '../../parts/button.js'
import { ComparedFacts, type ComparedMessage, ComparedMessages } from '../../parts/comparison.js'
import type { Edited } from '../../state/edits.js'
import type { Fetched } from '../../state/fetched.js'
import { linkTo, route } from '../../state/route.js'
import { ItemPage, SubPageHead } from '../item-page.js'

/** The page that sends an item again, as soon as the item is loaded. */
export function AgainPage<Value>({
  what,
  view,
  id,
  found,
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
  const head = <SubPageHead title="Send again" href={linkTo({ view, id, query })} />
  return (
    <ItemPage what={what} view={view} head={head} found={found}>
      {children}
    </ItemPage>
  )
}

/** What was sent again. */
export interface Sent<Entry> {
  /** Undefined if there is no answer. */
  readonly entry: Entry | undefined
  /** Why there is no answer. */
  readonly why: string
  /** Links to what was sent, and to what it created. */
  readonly links: ComponentChildren
}

/** The form of what is sent again and, below it, the first and the new answer side by side. */
export function Again<Entry>({
  title,
  edited: { isChanged, discard },
  isFlawed,
  first,
  facts,
  answerOf,
  onSend,
  children,
}: {
  readonly title: string
  /** What a person has changed is kept until it is discarded. */
  readonly edited: Pick<Edited<object>, 'isChanged' | 'discard'>
  readonly isFlawed: boolean
  readonly first: Entry
  /** What is compared beside headers and bodies, by name. */
  readonly facts: Readonly<Record<string, (entry: Entry) => string>>
  /** Reads the answer of the service to a request, or of a receiver to a webhook. */
  readonly answerOf: (entry: Entry) => ComparedMessage
  readonly onSend: () => Promise<Sent<Entry>>
  /** The fields. */
  readonly children: ComponentChildren
}) {
  const sent = useSignal<Sent<Entry> | undefined>(undefined)
  const isSending = useRef(false)
  const send = async () => {
    if (isFlawed || isSending.current) return
    isSending.current = true
    try {
      sent.value = await onSend()
    } finally {
      isSending.current = false
    }
  }
  const { entry: second, why, links } = sent.value ?? {}
  return (
    <>
      <Card
        title={title}
        aside={
          <>
            {isChanged && <Button onPress={discard}>Discard changes</Button>}
            <MainButton
              icon="play"
              label={`Send the ${title.toLowerCase()}`}
              isDisabled={isFlawed}
              onPress={send}
            >
              Send
            </MainButton>
          </>
        }
      >
        <div class="again-form">{children}</div>
      </Card>
      {sent.value !== undefined && second === undefined && (
        <p class="hint" role="status">
          {why} {links}
        </p>
      )}
      {second !== undefined && (
        <Card title="Answers" aside={links}>
          <ComparedFacts
            facts={compareFacts(facts, first, second).filter(({ values }) => values.some(Boolean))}
            names={NAMES}
          />
          <ComparedMessages
            title="Headers and body"
            names={NAMES}
            messages={[answerOf(first), answerOf(second)]}
          />
        </Card>
      )}
    </>
  )
}

const NAMES = ['First answer', 'New answer'] as const
