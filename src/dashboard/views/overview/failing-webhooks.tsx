import type { FailingReceiverShape } from '../../../control/shapes.js'
import { waitUntil } from '../../model/clock/upcoming.js'
import { plural } from '../../model/format.js'
import { Card } from '../../parts/card.js'
import { Icon } from '../../parts/icon.js'
import { Instant } from '../../parts/instant.js'
import { nowInSeconds } from '../../state/clock.js'
import { linkTo } from '../../state/route.js'

const MAX_SHOWN = 5

/** The receivers whose last attempt failed. */
export function FailingWebhooks({ failing }: { readonly failing: readonly FailingReceiverShape[] }) {
  const more = failing.length - MAX_SHOWN
  return (
    <Card title="Failing webhooks" aside={more > 0 && <a href={linkTo({ view: 'webhooks' })}>{more} more</a>}>
      {failing.length === 0 && <p class="hint">No receiver is failing.</p>}
      <ul class="brief">
        {failing
          .slice(0, MAX_SHOWN)
          .map(({ url, status, error, since, failures, delivery_id: id, next_attempt_at: next }) => (
            <li key={url}>
              <a class="brief-item severity-error" href={linkTo({ view: 'webhooks', id })}>
                <Icon name="failed" />
                <span>
                  <code>{url}</code>
                  <small>
                    {status === undefined ? (error ?? 'no answer') : `answered ${status}`} ·{' '}
                    {plural(failures, 'failure')} since <Instant at={since} />
                    {next === undefined
                      ? ', no further attempt'
                      : `, next attempt ${waitUntil(next, nowInSeconds.value)}`}
                  </small>
                </span>
                <Icon name="open" />
              </a>
            </li>
          ))}
      </ul>
    </Card>
  )
}
