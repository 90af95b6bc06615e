import type { CredentialRequest } from '#http/declare/authentication.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import type { Db } from '#store/database.ts'
import type { AuditActor } from '#values/audit.ts'
import type { Instant } from '#values/instant.ts'

/** Who sends a credential that is not verified yet, for the audit trail. */
export const actorOf = (
  { ip: address, id }: CredentialRequest,
  credential: 'basic' | 'digest' | 'api-key',
  at: Instant,
): AuditActor => ({ actorId: null, credential, address, requestId: id ?? null, at })

/** A rejected API key; its ID and account are undefined for an unknown one. */
interface RejectedKey {
  readonly request: CredentialRequest
  readonly account: { readonly id: number } | undefined
  readonly keyId?: number | undefined
}

/**
 * Records a rejected API key in the audit trail. Callers record only attempts that the login throttle
 * allowed, which limits how fast guessing fills the trail.
 */
export const recordRejectedKey = (
  db: Db,
  { request, account, keyId }: RejectedKey,
  at: Instant,
): Promise<void> =>
  recordAuditEvent(db, actorOf(request, 'api-key', at), {
    action: 'sign_in_failed',
    subjectId: account?.id ?? null,
    ...(keyId === undefined ? {} : { details: { id: keyId } }),
  })
