import type { TObject } from 'typebox'
import { compileCodec } from '#http/codec/codec.ts'
import type { Codec } from '#http/codec/value-codec.ts'
import type { Instant } from '#values/instant.ts'
import { currencyDigits } from '#values/money.ts'
import type { DomainEvent } from './outbox-store.ts'
import type { EventAudience, EventType } from './types.ts'

/** How the events of a kind of resource are made. */
interface EntityEvents<E> {
  /** The schema of the representation, in version 1 of the API. */
  readonly schema: TObject
  /** Returns the entity as the schema describes it, with the `currency` of its amounts, if any. */
  readonly present: (entity: E) => object
  /** Returns the path of the resource. */
  readonly subject: (entity: E) => string
  /** Returns the user whose personal data the representation holds. */
  readonly userId?: (entity: E) => number | null
  /** Returns who gets the event; everybody by default. */
  readonly audience?: (entity: E) => EventAudience | null
}

/**
 * Declares the events of a kind of resource. The result creates an event about an entity in its state
 * after the change, at the time `now`.
 */
export function entityEvents<E, T extends EventType>({
  schema,
  present,
  subject,
  userId,
  audience,
}: EntityEvents<E>): (type: T, entity: E, now: Instant) => DomainEvent {
  const codecs = new Map<string | undefined, Codec>()
  const codecFor = (currency: string | undefined): Codec => {
    const known = codecs.get(currency)
    if (known) return known
    const digits = currency === undefined ? 0 : currencyDigits(currency)
    const codec = compileCodec(schema, { currency: currency ?? '', currencyDigits: digits })
    codecs.set(currency, codec)
    return codec
  }
  return (type, entity, now) => {
    const representation = present(entity)
    const { currency } = representation as { readonly currency?: string }
    return {
      type,
      subject: subject(entity),
      time: now,
      user_id: userId?.(entity) ?? null,
      audience: audience?.(entity) ?? null,
      data: JSON.stringify(codecFor(currency).encode(representation)),
    }
  }
}
