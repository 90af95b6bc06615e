import type { Authority } from '#http/declare/actor.ts'
import { createMessage } from '#i18n/message.ts'
import { hasEventsOfProducts, readScopesOf } from '#shop/events/types.ts'
import type { DestinationPolicy } from '#shop/outbound/destinations.ts'
import type { Instant } from '#values/instant.ts'
import { type FieldIssue, fieldProblem, problem } from '#values/problem.ts'
import { attemptsOf, deliveredEventId } from './delivery/delivery.ts'
import { isWebhookSecret } from './delivery/sending/signature.ts'
import type { DeliveryRow, WebhookRow } from './delivery/table.ts'

const issueMessages = {
  credentials: createMessage('webhook.credentials'),
  https: createMessage('webhook.https'),
  address: createMessage('webhook.address'),
}

/** Throws 422/4221 for a URL to which nothing is ever sent, and for a secret of another form. */
export function requireUsableTarget(
  { issueOf }: Pick<DestinationPolicy, 'issueOf'>,
  { url, secret }: { readonly url?: string | undefined; readonly secret?: string | undefined },
): void {
  const issues: FieldIssue[] = []
  const issue = url === undefined ? undefined : issueOf(url)
  if (issue !== undefined) issues.push({ field: 'url', message: issueMessages[issue] })
  if (secret !== undefined && !isWebhookSecret(secret)) {
    issues.push({ field: 'secret', message: createMessage('webhook.secret') })
  }
  if (issues.length > 0) throw fieldProblem(issues)
}

/**
 * Returns what a webhook permits whoever has its URL: to read the resources of its types of events,
 * without end and from anywhere. The framework compares it with the caller's credential.
 */
export const webhookAuthority = ({
  types,
  audience,
}: Pick<WebhookRow, 'types' | 'audience'>): Authority => {
  const names = JSON.parse(types) as string[]
  const showsHidden = audience === 'managers' && hasEventsOfProducts(names)
  return {
    userId: null,
    scopes: [
      'events:read',
      ...readScopesOf(names),
      ...(showsHidden ? (['products:write'] as const) : []),
    ],
    expiresAt: null,
    addresses: null,
    origins: null,
  }
}

/** Returns a webhook as its schema describes it, without the secret. */
export const presentWebhook = (row: WebhookRow) => ({
  id: row.id,
  url: row.url,
  types: JSON.parse(row.types) as string[],
  description: row.description,
  active: row.active === 1,
  disabled_reason: row.disabled_reason,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** The time by which a delivery that is sent by hand comes before all others: a person waits for it. */
export const dueFirst: Instant = 0

/** Returns a delivery as its schema describes it. */
export const presentDelivery = (row: DeliveryRow) => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event_id: deliveredEventId(row),
  status: row.status,
  attempts: attemptsOf(row),
  next_attempt_at: row.due_at === dueFirst ? row.updated_at : row.due_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Throws 409/4091 for an inactive webhook, to which nothing is sent. */
export function requireActiveWebhook({ active }: Pick<WebhookRow, 'active'>): void {
  if (active !== 1) throw problem('4091', 'webhook.inactive')
}

/** True while an attempt of a delivery is in progress. */
const isInProgress = ({ leased_until }: DeliveryRow, now: Instant): boolean => leased_until > now

/** Throws 409/4091 while an attempt of a delivery is in progress. */
export function requireUnclaimedDelivery(delivery: DeliveryRow, now: Instant): void {
  if (isInProgress(delivery, now)) throw problem('4091', 'webhook.under_way')
}

/** A delivery with what of its webhook decides about its links. */
export type ShownDelivery = DeliveryRow & { readonly isWebhookActive: boolean }

/** Adds to a delivery whether its webhook is active. */
export const showDelivery = (
  delivery: DeliveryRow,
  { active }: Pick<WebhookRow, 'active'>,
): ShownDelivery => ({ ...delivery, isWebhookActive: active === 1 })

/** True if a retry of a delivery is not 409/4091. */
export const mayRetry = (delivery: ShownDelivery, now: Instant): boolean =>
  delivery.isWebhookActive && !isInProgress(delivery, now)
