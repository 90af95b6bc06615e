import type { Db } from '#db/database.ts'
import type { CarryingRequest } from '#http/pipeline/guards/authentication.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import type { Instant } from '#values/instant.ts'

/** A name and a password, a proof of one, or a key, that were wrong. */
interface Failure {
  readonly request: CarryingRequest
  /** Whose the name is; the name itself is not kept: where nobody has it, it may be a password. */
  readonly account: { readonly id: number } | undefined
  readonly scheme: 'basic' | 'digest' | 'api-key'
  /** The key that was known and not taken. */
  readonly keyId?: number | undefined
}

/**
 * Writes down in the audit trail that somebody could not sign in, as for a form. Called for tries
 * that are counted and were allowed, so that guessing fills the trail no faster than that.
 */
export const recordFailure = (
  db: Db,
  { request, account, scheme, keyId }: Failure,
  at: Instant,
): Promise<void> =>
  recordEvent(
    db,
    { actorId: null, credential: scheme, address: request.ip, requestId: request.id ?? null, at },
    {
      action: 'sign_in_failed',
      subjectId: account?.id ?? null,
      ...(keyId === undefined ? {} : { details: { id: keyId } }),
    },
  )
