import type { Db } from '#store/database.ts'
import type { Tables } from '#store/tables.ts'
import type { AuditActor } from '#values/audit.ts'
import type { Instant } from '#values/instant.ts'

/**
 * Declares what becomes of some credentials when the holder of an account gets it back: by a mail to its
 * address, or from the operator. Whoever had it until then may have made any of them.
 */
export interface Recovery {
  /** The resources with `authority` that `end` covers, by name. */
  readonly resources: readonly string[]
  /** The tables that `end` covers: with secrets, or of work that goes on after its request. */
  readonly tables: readonly (keyof Tables)[]
  /** True for credentials that end with the role of their user, too: in another one they mean something else. */
  readonly endsWithRole?: true
  /** Ends what a user has made. The transaction has written the row of the user. */
  readonly end: (db: Db, userId: number, auditActor: AuditActor) => Promise<unknown>
}

/** What is done for the holder of the address of an account who proves to be that. */
export interface RecoveryParts {
  /** What ends when an account is recovered. */
  readonly recoveries: readonly Recovery[]
  /** True where orders await whoever confirms an address. */
  readonly awaitsAddress: (db: Db, emailKey: string, now: Instant) => Promise<boolean>
  /** Gives an account what awaits its address, in the transaction that confirms it. */
  readonly onAddressConfirmed: (
    db: Db,
    account: { readonly id: number; readonly email_key: string },
    now: Instant,
  ) => Promise<unknown>
}
