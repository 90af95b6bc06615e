import type { CredentialRequest } from '#http/declare/authentication.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'

/** A failed sign-in. */
interface FailedSignIn {
  readonly request: CredentialRequest
  /** The account that was named. An unknown name is not recorded: it may be a mistyped password. */
  readonly account: { readonly id: number } | undefined
  readonly scheme: 'basic' | 'digest' | 'api-key'
  /** The ID of a known API key that was not accepted. */
  readonly keyId?: number | undefined
}

/**
 * Records a failed sign-in in the audit trail. Callers record only attempts that the login throttle
 * allowed, which limits how fast guessing fills the trail.
 */
export const recordFailedSignIn = (
  db: Db,
  { request, account, scheme, keyId }: FailedSignIn,
  at: Instant,
): Promise<void> =>
  recordAuditEvent(
    db,
    { actorId: null, credential: scheme, address: request.ip, requestId: request.id ?? null, at },
    {
      action: 'sign_in_failed',
      subjectId: account?.id ?? null,
      ...(keyId === undefined ? {} : { details: { id: keyId } }),
    },
  )
