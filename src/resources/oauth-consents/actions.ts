import type { Context } from '#http/declare/context.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import * as store from './store.ts'

/**
 * Withdraws what a user has consented to, and writes that down: every token of the client dies with
 * it, in every process, and the client has to ask again.
 */
export async function endConsent(ctx: Context, consent: store.OauthConsent): Promise<void> {
  const { user_id: subjectId, client_id, scopes } = consent
  await store.revokeConsent(ctx.db, consent, ctx.now)
  await recordEvent(ctx.db, ctx.auditActor(), {
    action: 'oauth_consent_withdrawn',
    subjectId,
    details: { client_id, scope: scopes.join(' ') },
  })
}
