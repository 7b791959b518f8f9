import { useSignal } from '@preact/signals'
import type { AttemptShape, DeliveryShape, Redelivery } from '../../../control/shapes.js'
import { compareFact } from '../../model/comparison.js'
import { headerFlaw, headersIn } from '../../model/edited-request.js'
import { prettyJson } from '../../model/format.js'
import { answerOf, VERDICT_LABELS, verdictOf } from '../../model/webhooks/attempts.js'
import { Card, Empty, Loading } from '../../parts/blocks.js'
import { Button, LinkButton } from '../../parts/button.js'
import { ChoiceField } from '../../parts/field.js'
import { isSigned } from '../../state/dialects.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo, route } from '../../state/route.js'
import { control } from '../../state/session.js'
import { AgainPage, Answers } from './answers.js'
import { BodyEditor, HeadersEditor } from './text-editor.js'

/** An attempt of a webhook that can be edited and sent again, with both answers side by side. */
export function DeliveryAgain({ id, attempt: number }: { readonly id: string; readonly attempt: number }) {
  const { again: _, ...query } = route.value.query
  const { value: delivery, error } = useFetched(`again ${id}`, '', () => control.value.deliveries.get(id))
  const first = delivery?.attempts.find((attempt) => attempt.number === number) ?? delivery?.attempts.at(-1)
  return (
    <AgainPage title="Send again" back={linkTo({ view: 'webhooks', id, query })}>
      {error !== undefined ? (
        <Empty icon="search" title="Delivery not found">
          <p>{error}</p>
        </Empty>
      ) : delivery === undefined || first === undefined ? (
        <Loading what="The delivery" />
      ) : (
        <Repetition delivery={delivery} first={first} />
      )}
    </AgainPage>
  )
}

type Flaw = NonNullable<Redelivery['signature']>

/** What the signature can be. */
const SIGNATURES: Readonly<Record<Flaw | 'right', string>> = {
  right: 'right',
  wrong: 'wrong',
  missing: 'missing',
  empty: 'empty',
  malformed: 'malformed',
  previous_secret: 'of the previous secret',
  old_timestamp: 'an hour old',
}

function Repetition({
  delivery: { id, event, url, dialect },
  first,
}: {
  readonly delivery: DeliveryShape
  readonly first: AttemptShape
}) {
  const initial = prettyJson(first.request.body)
  const body = useSignal(initial)
  const headers = useSignal('')
  const signature = useSignal(signatureOf(first.flaw))
  const second = useSignal<DeliveryShape | undefined>(undefined)
  const flaw = headerFlaw(headers.value).headers
  const send = async () => {
    if (flaw !== undefined) return
    const given = Object.keys(SIGNATURES).find(
      (each): each is Flaw => each === signature.value && each !== 'right',
    )
    second.value = await control.value.deliveries.redeliver(id, {
      // The exact bytes, unless somebody has changed them.
      body: body.value === initial ? first.request.body : body.value,
      headers: headersIn(headers.value),
      ...(given && { signature: given }),
    })
  }
  const answer = second.value?.attempts[0]
  return (
    <>
      <Card
        title="Webhook"
        aside={
          <Button
            variant="accent"
            icon="play"
            label="Send the webhook (Ctrl Enter)"
            isDisabled={flaw !== undefined}
            onPress={send}
          >
            Send
          </Button>
        }
      >
        <p class="muted">
          {event} to <code>{url}</code>
        </p>
        <div class="again-form">
          {isSigned.value(dialect) && (
            <ChoiceField
              label="Signature"
              value={signature.value}
              choices={SIGNATURES}
              onChange={(chosen) => {
                signature.value = chosen
              }}
            />
          )}
          <HeadersEditor
            label="Further headers"
            text={headers.value}
            hint="Those of the event and of the signature are added."
            flaw={flaw}
            onChange={(text) => {
              headers.value = text
            }}
            onRun={send}
          />
          <BodyEditor
            text={body.value}
            isJson
            onChange={(text) => {
              body.value = text
            }}
            onRun={send}
          />
        </div>
      </Card>
      {second.value !== undefined && answer === undefined && (
        <p class="hint" role="status">
          The receiver has not answered yet.{' '}
          <a href={linkTo({ view: 'webhooks', id: second.value.id })}>Show delivery</a>
        </p>
      )}
      {second.value !== undefined && answer !== undefined && (
        <BothAnswers
          first={first}
          second={answer}
          isSigned={isSigned.value(dialect)}
          href={linkTo({ view: 'webhooks', id: second.value.id })}
        />
      )}
    </>
  )
}

/** The signature that repeats an attempt: a body that a fault had changed does not fit to its signature. */
function signatureOf(flaw: string | undefined): string {
  if (flaw === undefined) return 'right'
  return flaw in SIGNATURES ? flaw : 'wrong'
}

function BothAnswers({
  first,
  second,
  isSigned,
  href,
}: {
  readonly first: AttemptShape
  readonly second: AttemptShape
  readonly isSigned: boolean
  readonly href: string
}) {
  const fact = (name: string, read: (attempt: AttemptShape) => string) =>
    compareFact(name, read(first), read(second))
  const facts = [
    fact('Answer', answerOf),
    fact('Signature', (attempt) => VERDICT_LABELS[verdictOf(attempt, isSigned)]),
    fact('Error', ({ error = '' }) => error),
  ]
  return (
    <Answers facts={facts} answers={[first.response ?? {}, second.response ?? {}]}>
      <LinkButton icon="webhooks" href={href}>
        Show delivery
      </LinkButton>
    </Answers>
  )
}
