import type { Context } from '#http/declare/context.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import * as store from './store.ts'

/**
 * Withdraws a consent and records an audit event. Every token that the client holds for the user is
 * revoked in every process, and the client has to request consent again.
 */
export async function withdrawConsent(ctx: Context, consent: store.OauthConsent): Promise<void> {
  const { user_id: subjectId, client_id, scopes } = consent
  await store.revokeConsent(ctx.db, consent, ctx.now)
  await recordAuditEvent(ctx.db, ctx.auditActor(), {
    action: 'oauth_consent_withdrawn',
    subjectId,
    details: { client_id, scope: scopes.join(' ') },
  })
}
