import type { AttemptShape, DeliveryShape, Redelivery } from '../../../control/shapes.js'
import { bodyText } from '../../model/body-text.js'
import { headerFlaw, headersIn } from '../../model/edited-request.js'
import { answerOf, VERDICT_LABELS, verdictOf } from '../../model/webhooks/attempts.js'
import { LinkButton } from '../../parts/button.js'
import { ChoiceField } from '../../parts/field.js'
import { isSigned } from '../../state/dialects.js'
import { useEdited } from '../../state/edits.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo } from '../../state/route.js'
import { control } from '../../state/session.js'
import { BodyEditor, EditorField } from '../editor-field.js'
import { Again, AgainPage } from './again.js'

/** An attempt of a webhook that can be edited and sent again, with both answers side by side. */
export function DeliveryAgain({ id, attempt: number }: { readonly id: string; readonly attempt: number }) {
  const found = useFetched(`again ${id}`, '', async () => {
    const delivery = await control.value.deliveries.get(id)
    const first = delivery.attempts.find((attempt) => attempt.number === number) ?? delivery.attempts.at(-1)
    return first && { delivery, first }
  })
  return (
    <AgainPage what="delivery" view="webhooks" id={id} found={found}>
      {(value) => value && <Repetition {...value} />}
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
  const edited = useEdited(`delivery ${id} ${first.number}`, first, editedAttempt)
  const { body, headers, signature } = edited.value
  const flaw = headerFlaw(headers).headers
  const isService = isSigned.value(dialect)
  const send = async () => {
    const given = Object.keys(SIGNATURES).find((each): each is Flaw => each === signature && each !== 'right')
    const sent = await control.value.deliveries.redeliver(id, {
      // The exact bytes, unless somebody has changed them.
      body: body === editedAttempt(first).body ? first.request.body : body,
      headers: headersIn(headers),
      ...(given && { signature: given }),
    })
    const links = (
      <LinkButton icon="webhooks" href={linkTo({ view: 'webhooks', id: sent.id })}>
        Show delivery
      </LinkButton>
    )
    return { entry: sent.attempts[0], why: 'The receiver has not answered yet.', links }
  }
  return (
    <Again
      title="Webhook"
      edited={edited}
      isFlawed={flaw !== undefined}
      first={first}
      facts={{
        Answer: answerOf,
        Signature: (attempt) => VERDICT_LABELS[verdictOf(attempt, isService)],
        Error: ({ error = '' }) => error,
      }}
      answerOf={({ response = {} }) => response}
      onSend={send}
    >
      <p class="muted field-wide">
        {event} to <code>{url}</code>
      </p>
      {isService && (
        <ChoiceField
          label="Signature"
          value={signature}
          values={Object.keys(SIGNATURES)}
          labels={SIGNATURES}
          onChange={(signature) => edited.change({ signature })}
        />
      )}
      <EditorField
        label="Further headers"
        text={headers}
        language="text"
        hint="Those of the event and of the signature are added."
        mistake={flaw}
        onChange={(headers) => edited.change({ headers })}
      />
      <BodyEditor text={body} isJson onChange={(body) => edited.change({ body })} />
    </Again>
  )
}

function editedAttempt({ request, flaw }: AttemptShape) {
  return { body: bodyText(request.body).text, headers: '', signature: signatureOf(flaw) }
}

/** The signature that repeats an attempt: a body that a fault had changed does not fit to its signature. */
function signatureOf(flaw: string | undefined): string {
  if (flaw === undefined) return 'right'
  return flaw in SIGNATURES ? flaw : 'wrong'
}
