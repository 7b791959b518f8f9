import { toBase64 } from '../../base64.js'
import type { Clock } from '../../clock/clock.js'
import { UsageError } from '../../errors.js'
import { OccurrenceCounter } from '../../occurrence-counter.js'
import type { Chance, Random } from '../../random.js'
import type { RegisteredReceiver, Registration } from './receiver.js'
import type { Receivers } from './receivers.js'

/** A receiver with its registration. */
export type ClientReceiver = RegisteredReceiver & {
  readonly registration: Registration
  readonly secret: string
}

/** What a client says about a receiver. */
export interface NewRegistration extends Pick<RegisteredReceiver, 'url' | 'events'> {
  readonly name: string | undefined
}

/** What to change of a receiver; undefined fields stay the same. */
export type RegistrationChanges = {
  readonly [Field in keyof NewRegistration]?: NewRegistration[Field] | undefined
} & { readonly isEnabled?: boolean | undefined }

/** The client that registers receivers. */
export type Registrant = Pick<Registration, 'owner' | 'dialect'>

/** A client with more receivers has probably forgotten to delete them. */
const MOST_RECEIVERS = 100
const SECRET_BYTES = 32
const DISABLED = 'Its client has disabled it.'

/** The receivers that clients register through the API of a service. */
export class Registrations {
  /** Counts from which ids and secrets are drawn. */
  occurrences: OccurrenceCounter
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #receivers: Receivers

  /**
   * @param chance the source of ids and secrets
   * @param receivers all receivers
   */
  constructor({ clock, chance, receivers }: { clock: Clock; chance: Chance; receivers: Receivers }) {
    this.#clock = clock
    this.#chance = chance
    this.#receivers = receivers
    this.occurrences = new OccurrenceCounter(chance)
  }

  /**
   * Registers a receiver with a new secret.
   * @param drawId draws an id in the form of the service
   * @throws UsageError if the client has too many receivers
   */
  create(
    { owner, dialect }: Registrant,
    { name, ...settings }: NewRegistration,
    drawId: (random: Random) => string,
  ): ClientReceiver {
    if (this.list({ owner, dialect }).length >= MOST_RECEIVERS)
      throw new UsageError(`An API key can have at most ${MOST_RECEIVERS} receivers; delete one first`)
    const { seed, number } = this.occurrences.count(JSON.stringify([dialect, owner, settings.url]))
    const chance = seed.child(String(number))
    const id = drawId(chance.stream('id'))
    const now = this.#clock.now()
    const times = { createdAt: now, updatedAt: now, previousUntil: undefined }
    return this.#put({
      ...settings,
      id,
      source: 'api',
      off: undefined,
      secret: secretFrom(chance.stream('secret')),
      registration: { id, owner, dialect, name, isEnabled: true, ...times },
    })
  }

  /** The receivers of a client, newest first. */
  list({ owner, dialect }: Registrant): readonly ClientReceiver[] {
    const all = this.#receivers.list().filter(isClientReceiver)
    return all
      .filter(({ registration }) => registration.owner === owner && registration.dialect === dialect)
      .reverse()
  }

  /** The receiver of a client with this id; undefined if there is none. */
  get(id: string, client: Registrant): ClientReceiver | undefined {
    return this.list(client).find((receiver) => receiver.id === id)
  }

  /**
   * Changes a receiver.
   * @param changes undefined fields stay the same
   */
  update(receiver: ClientReceiver, { url, events, name, isEnabled }: RegistrationChanges): ClientReceiver {
    const { registration } = receiver
    return this.#put({
      ...receiver,
      url: url ?? receiver.url,
      events: events ?? receiver.events,
      off: isEnabled === undefined ? receiver.off : isEnabled ? undefined : DISABLED,
      registration: {
        ...registration,
        name: name ?? registration.name,
        isEnabled: isEnabled ?? registration.isEnabled,
        updatedAt: this.#clock.now(),
      },
    })
  }

  /** @param receiver gets no further events */
  delete({ id }: ClientReceiver): void {
    this.#receivers.remove(id)
  }

  /**
   * Gives a receiver a new secret.
   * @param overlap for how many milliseconds webhooks are also signed with the previous secret
   */
  rotate(receiver: ClientReceiver, overlap: number): ClientReceiver {
    const { id, registration, secret } = receiver
    const { number, seed } = this.occurrences.count(JSON.stringify(['secret', id]))
    const now = this.#clock.now()
    return this.#put({
      ...receiver,
      secret: secretFrom(seed.child(String(number)).stream('secret')),
      previousSecret: secret,
      registration: { ...registration, updatedAt: now, previousUntil: now + overlap },
    })
  }

  /** Forgets the counts from which ids and secrets are drawn. */
  clear(): void {
    this.occurrences = new OccurrenceCounter(this.#chance)
  }

  #put(receiver: ClientReceiver): ClientReceiver {
    this.#receivers.register(receiver)
    return receiver
  }
}

function isClientReceiver(receiver: RegisteredReceiver): receiver is ClientReceiver {
  return receiver.registration !== undefined && receiver.secret !== undefined
}

/** A secret in the form of Standard Webhooks. */
function secretFrom(random: Random): string {
  return `whsec_${toBase64(Uint8Array.from({ length: SECRET_BYTES }, () => random.int(256)))}`
}
