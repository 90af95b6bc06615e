import { eventId, testEventId } from '#shop/events/event-id.ts'
import type { Instant } from '#values/instant.ts'
import type { DeliveryRow, DeliveryStatus, WebhookRow } from './table.ts'

/** An attempt of a delivery. */
export interface Attempt {
  readonly at: Instant
  /** Null without a response. */
  readonly status: number | null
  readonly duration_ms: number
  /** Why there is no response; null with one. */
  readonly error: string | null
  /** The beginning of the body of the response; null without one, and after an erasure. */
  readonly response: string | null
}

/** The newest attempts of a delivery that are kept. */
const maxAttempts = 50

/** Returns the attempts of a delivery, the oldest first. */
export function attemptsOf({
  attempts,
  responses,
}: Pick<DeliveryRow, 'attempts' | 'responses'>): readonly Attempt[] {
  const bodies = JSON.parse(responses ?? '[]') as readonly (string | null)[]
  return (JSON.parse(attempts) as readonly Omit<Attempt, 'response'>[]).map((attempt, at) => ({
    ...attempt,
    response: bodies[at] ?? null,
  }))
}

/** Returns the columns that keep attempts. */
export function attemptColumns(attempts: readonly Attempt[]) {
  const kept = attempts.slice(-maxAttempts)
  return {
    attempts: JSON.stringify(kept.map(({ response: _, ...attempt }) => attempt)),
    responses: JSON.stringify(kept.map(({ response }) => response)),
  }
}

/** True for a status of success. */
export const isSuccess = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** Returns the status of a delivery after an attempt: once delivered, it stays delivered. */
export function statusAfter(
  { status }: Pick<DeliveryRow, 'status'>,
  attempt: Pick<Attempt, 'status'>,
  nextAttemptAt: Instant | undefined,
): DeliveryStatus {
  if (status === 'delivered' || isSuccess(attempt)) return 'delivered'
  return nextAttemptAt === undefined ? 'failed' : 'pending'
}

/** True for a delivery that is to be ended, since its webhook was stopped after its creation. */
export const isOfEarlierActivation = (
  { activation }: Pick<DeliveryRow, 'activation'>,
  webhook: Pick<WebhookRow, 'activation' | 'stopped_at'>,
): boolean => webhook.stopped_at !== null && activation < webhook.activation

/** Returns the ID of the event of a delivery. */
export const deliveredEventId = ({
  id,
  event_sequence,
  event_time,
}: Pick<DeliveryRow, 'id' | 'event_sequence' | 'event_time'>): string =>
  event_sequence === null
    ? testEventId(event_time, id)
    : eventId({ time: event_time, sequence: event_sequence })
