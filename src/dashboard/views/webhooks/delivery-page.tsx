import type { DeliveryShape } from '../../../control/shapes.js'
import { verdictsOf } from '../../model/webhooks/deliveries.js'
import { Instant, StateBadge } from '../../parts/badges.js'
import { Card } from '../../parts/blocks.js'
import { Button, LinkButton } from '../../parts/button.js'
import { PageHead } from '../../parts/page-head.js'
import { knownDelivery } from '../../state/deliveries.js'
import { isSigned } from '../../state/dialects.js'
import { useFetched } from '../../state/fetched.js'
import { runAction } from '../../state/notifications.js'
import { linkTo, navigate, route } from '../../state/route.js'
import { control, recording } from '../../state/session.js'
import { BackLink, ItemPage } from '../item-page.js'
import { AttemptView } from './attempt-view.js'
import { SecretCommand } from './secret-command.js'

/** One delivery with its attempts, and what differs between them. */
export function DeliveryPage({ id }: { readonly id: string }) {
  const found = useFetched(`delivery ${id}`, knownDelivery(id), () => control.value.deliveries.get(id))
  const isRecorded = recording.value !== undefined
  const back = (
    <BackLink href={linkTo({ view: 'webhooks', query: route.value.query })}>
      {isRecorded ? 'All deliveries' : 'All deliveries and receivers'}
    </BackLink>
  )
  return (
    <ItemPage what="delivery" view="webhooks" head={back} found={found}>
      {(delivery) => (
        <>
          <Head delivery={delivery} />
          <Notes delivery={delivery} />
          <Attempts delivery={delivery} />
          {!isRecorded && isSigned.value(delivery.dialect) && (
            <Card title="Signing secret">
              <SecretCommand dialect={delivery.dialect} url={delivery.url} />
            </Card>
          )}
        </>
      )}
    </ItemPage>
  )
}

function Head({ delivery }: { readonly delivery: DeliveryShape }) {
  const { id, state, event, url, task_id: task, dialect, created_at: at } = delivery
  const redeliver = async () => {
    const sent = await runAction(() => control.value.deliveries.redeliver(id), 'Webhook redelivered.')
    if (sent !== undefined) navigate({ view: 'webhooks', id: sent.id, query: route.value.query })
  }
  return (
    <PageHead
      of="this delivery"
      view="webhooks"
      id={id}
      value={delivery}
      items={[{ label: 'Body', text: () => delivery.attempts.at(-1)?.request.body ?? '' }]}
      states={<StateBadge state={state} isLarge />}
      title={
        <h2 class="request-title">
          {event} <code title={url}>{url}</code>
        </h2>
      }
      facts={{
        Dialect: dialect,
        Created: <Instant at={at} isExact />,
        Task: task === '' ? undefined : <a href={linkTo({ view: 'tasks', id: task })}>{task}</a>,
      }}
    >
      <div class="actions">
        {recording.value === undefined && (
          <Button icon="again" onPress={redeliver}>
            Redeliver
          </Button>
        )}
        {task !== '' && (
          <LinkButton icon="webhooks" href={linkTo({ view: 'webhooks', query: { task } })}>
            Deliveries of this task
          </LinkButton>
        )}
      </div>
    </PageHead>
  )
}

/** What is special about a delivery; nothing if nothing is. */
function Notes({
  delivery: { state, fault, copy_of: copyOf, next_attempt_at: next },
}: {
  readonly delivery: DeliveryShape
}) {
  if (state !== 'lost' && fault === undefined && copyOf === undefined && next === undefined) return null
  return (
    <p class="plan">
      {state === 'lost' && <>A webhook fault dropped this delivery: nothing was sent. </>}
      {fault !== undefined && <>Webhook fault by the rule “{fault}”. </>}
      {copyOf !== undefined && (
        <>
          Copy of <a href={linkTo({ view: 'webhooks', id: copyOf, query: route.value.query })}>{copyOf}</a>.{' '}
        </>
      )}
      {next !== undefined && (
        <>
          Next attempt at <Instant at={next} />.
        </>
      )}
    </p>
  )
}

function Attempts({ delivery }: { readonly delivery: DeliveryShape }) {
  const { attempts } = delivery
  const verdicts = verdictsOf(delivery, isSigned.value)
  if (attempts.length === 0 && delivery.state === 'pending')
    return <p class="hint">No attempt has ended yet.</p>
  return (
    <>
      {attempts.map((attempt, index) => (
        <AttemptView
          key={attempt.number}
          attempt={attempt}
          verdict={verdicts[index] ?? 'none'}
          previous={attempts[index - 1]}
          isOpen={index === attempts.length - 1}
          again={
            recording.value === undefined
              ? linkTo({
                  view: 'webhooks',
                  id: delivery.id,
                  query: { ...route.value.query, again: String(attempt.number) },
                })
              : undefined
          }
        />
      ))}
    </>
  )
}
