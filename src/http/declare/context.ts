import type { Language } from '#i18n/languages.ts'
import type { Db } from '#store/database.ts'
import type { AuditActor } from '#values/audit.ts'
import type { Instant } from '#values/instant.ts'
import type { Actor } from './actor.ts'

/** The request that a handler serves, without its input. */
export interface Context {
  /** The transaction of the request, or the database where the operation has no transaction. */
  readonly db: Db
  /**
   * Runs `work` in a transaction of its own. Resolves once the commit is durable. Runs `work` again
   * after a conflict with a concurrent transaction, so `work` must have no effect but on `db`;
   * throws 409/4091 after the last attempt.
   */
  readonly transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** The authenticated caller, or `anonymous`. */
  readonly actor: Actor
  /** When the request arrived, in milliseconds since 1970, UTC. */
  readonly now: Instant
  /** The `X-Request-Id` of the response. */
  readonly requestId: string
  /** Returns the caller, address and time to record in the audit trail. */
  readonly auditActor: () => AuditActor
  /** The stored hash of the caller's password, if the body proved the password; see `passwordFields`. */
  readonly provedHash?: string | undefined
  /** The negotiated language of a localized resource; the default language elsewhere. */
  readonly language: Language
}
