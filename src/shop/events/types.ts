import type { Actor } from '#http/declare/actor.ts'
import { managesProducts } from '#shop/manages-products.ts'
import type { Scope } from '#shop/scopes.ts'

/** Every type of event; `webhook.test` is no part of the feed. */
export const eventTypes = [
  'order.created',
  'order.updated',
  'order.paid',
  'order.shipped',
  'order.delivered',
  'order.cancelled',
  'order.refunded',
  'order.deleted',
  'parcel.created',
  'parcel.updated',
  'parcel.delivered',
  'parcel.deleted',
  'return.requested',
  'return.approved',
  'return.rejected',
  'return.received',
  'return.refunded',
  'return.updated',
  'payment.succeeded',
  'payment.failed',
  'payment.action_required',
  'payment.refunded',
  'product.created',
  'product.updated',
  'product.deleted',
  'product.out_of_stock',
  'product.back_in_stock',
  'category.created',
  'category.updated',
  'category.deleted',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.erased',
  'review.created',
  'cart.abandoned',
  'import.completed',
  'webhook.disabled',
] as const

/** The type of an event, such as `order.paid`. */
export type EventType = (typeof eventTypes)[number]

/** Who gets an event that is not for everybody: those who see hidden products, or the others. */
export type EventAudience = 'managers' | 'public'

/** The audience to which a caller belongs. */
export const audienceOf = (actor: Pick<Actor, 'role' | 'scopes'>): EventAudience =>
  managesProducts(actor) ? 'managers' : 'public'

/** True for an event that is for this audience, or for everybody. */
export const isForAudience = (
  event: { readonly audience: EventAudience | null },
  audience: EventAudience,
): boolean => event.audience === null || event.audience === audience

type Kind = EventType extends `${infer Name}.${string}` ? Name : never

const kindOf = (type: string) => type.split('.', 1)[0] as Kind

/** The scope with which an administrator reads the resources of a kind; null for public ones. */
const readScopes: Readonly<Record<Kind, Scope | null>> = {
  order: 'orders:read',
  payment: 'orders:read',
  parcel: 'orders:read',
  return: 'orders:read',
  product: null,
  category: null,
  user: 'users:read',
  review: null,
  cart: 'carts:write',
  import: 'imports:write',
  webhook: 'webhooks:write',
}

/** The scope with which the resource of an event may be read; null if it is public. */
export const readScopeOf = (type: string): Scope | null => readScopes[kindOf(type)]

/** The scopes with which the resources of all events that types and patterns stand for may be read. */
export const readScopesOf = (names: readonly string[]): readonly Scope[] => [
  ...new Set(expandTypes(names).flatMap((type) => readScopeOf(type) ?? [])),
]

/** True if types and patterns stand for events of products. */
export const hasEventsOfProducts = (names: readonly string[]): boolean =>
  expandTypes(names).some((type) => kindOf(type) === 'product')

/** The patterns that stand for all types of one kind of resource, such as `order.*`. */
export const typePatterns: readonly string[] = [
  ...new Set(eventTypes.map((type) => `${kindOf(type)}.*`)),
]

/** The pattern that stands for every type. */
export const everyType = '*'

/** Returns the types that types and patterns stand for, each once. */
export const expandTypes = (names: readonly string[]): readonly EventType[] =>
  eventTypes.filter((type) =>
    names.some((name) => name === type || name === everyType || name === `${kindOf(type)}.*`),
  )

/**
 * Returns the types that a caller gets of those asked for, all by default: those of resources that its
 * credential may read. Undefined for every type.
 */
export function readableTypes(
  { scopes }: { readonly scopes: ReadonlySet<string> },
  names: readonly string[] | undefined,
): readonly EventType[] | undefined {
  const isReadable = (type: EventType) => {
    const scope = readScopeOf(type)
    return scope === null || scopes.has(scope)
  }
  if (names === undefined && eventTypes.every(isReadable)) return undefined
  return expandTypes(names ?? [everyType]).filter(isReadable)
}
