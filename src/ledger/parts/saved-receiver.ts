import type * as v from 'valibot'
import type { Addressee, RegisteredReceiver } from '../../engine/webhooks/receivers/receiver.js'
import type { addressee, registeredReceiver } from '../rows/receiver-rows.js'

/** Reads a receiver of an event. */
export function readAddressee({ registration, ...receiver }: v.InferOutput<typeof addressee>): Addressee {
  return {
    ...receiver,
    ...(registration && {
      registration: {
        id: registration.id,
        owner: registration.owner,
        dialect: registration.dialect,
        name: registration.name,
        isEnabled: registration.isEnabled,
        createdAt: registration.createdAt,
        updatedAt: registration.updatedAt,
        previousUntil: registration.previousUntil,
      },
    }),
  }
}

/** Reads a registered receiver. */
export function readReceiver(receiver: v.InferOutput<typeof registeredReceiver>): RegisteredReceiver {
  return { ...readAddressee(receiver), id: receiver.id, source: receiver.source, off: receiver.off }
}
