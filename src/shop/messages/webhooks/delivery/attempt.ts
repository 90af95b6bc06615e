import { cloudEvent } from '#shop/events/cloud-event.ts'
import type { PublishedEvent } from '#shop/events/events-store.ts'
import type { DomainEvent } from '#shop/events/outbox-store.ts'
import type { WebhookSecrets } from '#src/secrets/webhook-secrets.ts'
import { type Instant, secondMs, toIsoText } from '#values/instant.ts'
import { type Attempt, deliveredEventId } from './delivery.ts'
import { parseRetryAfter } from './schedule.ts'
import type { SendWebhook } from './sending/send.ts'
import { signWebhook } from './sending/signature.ts'
import type { DeliveryRow, WebhookRow } from './table.ts'

/** What attempts are made with. */
export interface AttemptParts {
  readonly sendWebhook: SendWebhook
  readonly webhookSecrets: Pick<WebhookSecrets, 'decrypt'>
  /** The URL of the shop, the source of its events. */
  readonly issuer: string
  /** Creates the event that the server has disabled a webhook. */
  readonly disabledEvent: (webhook: WebhookRow, now: Instant) => DomainEvent
  readonly clock: () => Instant
}

/** A delivery with all that an attempt needs. */
export interface PreparedDelivery {
  readonly delivery: DeliveryRow
  readonly webhook: WebhookRow
  /** Undefined for a test, and once the event has been deleted. */
  readonly event: PublishedEvent | undefined
}

/** The result of an attempt. */
export interface AttemptOutcome {
  readonly attempt: Attempt
  /** When the endpoint asks for the next attempt; undefined if it does not. */
  readonly retryAt: Instant | undefined
  /** True if no further attempt can succeed. */
  readonly isFinal: boolean
}

/** Sends a delivery once. */
export async function attemptDelivery(
  parts: AttemptParts,
  prepared: PreparedDelivery,
): Promise<AttemptOutcome> {
  const { clock, sendWebhook } = parts
  const at = clock()
  const body = bodyOf(parts, prepared)
  if (body === undefined) return withoutRequest(at, 'event_deleted')
  const secrets = secretsOf(parts, prepared.webhook, at)
  if (secrets.length === 0) return withoutRequest(at, 'secret_unreadable')
  const id = deliveredEventId(prepared.delivery)
  const timestamp = Math.floor(at / secondMs)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'cartwright',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(secrets, { id, timestamp, body }),
  }
  const result = await sendWebhook({ url: prepared.webhook.url, headers, body })
  const { status, durationMs: duration_ms, error, response } = result
  const retryAfter = result.error === null ? result.retryAfter : undefined
  return {
    attempt: { at, status, duration_ms, error, response },
    retryAt: parseRetryAfter(retryAfter, clock()),
    isFinal: false,
  }
}

const withoutRequest = (at: Instant, error: string): AttemptOutcome => ({
  attempt: { at, status: null, duration_ms: 0, error, response: null },
  retryAt: undefined,
  isFinal: true,
})

/** The secrets that sign: the current one first, then one that was replaced a short time ago. */
function secretsOf(
  { webhookSecrets }: AttemptParts,
  { id, secret, replaced_secret, replaced_secret_expires_at }: WebhookRow,
  now: Instant,
): readonly string[] {
  const isReplacedValid = replaced_secret !== null && (replaced_secret_expires_at ?? 0) > now
  return [secret, ...(isReplacedValid ? [replaced_secret] : [])].flatMap(
    (ciphertext) => webhookSecrets.decrypt(ciphertext, id) ?? [],
  )
}

/** The bodies of events that many webhooks get. */
const bodies = new WeakMap<PublishedEvent, string>()

function bodyOf(
  parts: AttemptParts,
  { delivery, webhook, event }: PreparedDelivery,
): string | undefined {
  if (delivery.event_sequence === null) return testBody(parts, delivery, webhook)
  if (!event) return undefined
  const known = bodies.get(event)
  if (known !== undefined) return known
  const body = JSON.stringify(cloudEvent(event, parts.issuer))
  bodies.set(event, body)
  return body
}

const testBody = (
  { issuer, disabledEvent }: AttemptParts,
  delivery: DeliveryRow,
  webhook: WebhookRow,
): string => {
  const { subject, data } = disabledEvent(webhook, delivery.event_time)
  return JSON.stringify({
    specversion: '1.0',
    id: deliveredEventId(delivery),
    source: issuer,
    type: 'webhook.test',
    subject,
    time: toIsoText(delivery.event_time),
    datacontenttype: 'application/json',
    // It is no event of the feed, and comes before all of them.
    sequence: '0',
    data: JSON.parse(data),
  })
}
