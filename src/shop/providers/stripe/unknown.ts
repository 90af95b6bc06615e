import type { UnknownOutcome } from '#shop/providers/provider.ts'
import type { Reply } from './client.ts'

/** An answer that makes no sense. */
export const invalidAnswer: UnknownOutcome = { kind: 'unknown', because: 'garbage' }

/** The outcome of a call without a known result, such as an error that Stripe should not answer. */
export const unknownOutcomeOf = (reply: Exclude<Reply<unknown>, { readonly kind: 'reply' }>) =>
  reply.kind === 'failed' ? ({ kind: 'unknown', because: reply.because } as const) : invalidAnswer
