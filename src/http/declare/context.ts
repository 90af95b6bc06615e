import type { Db } from '#db/database.ts'
import type { Language } from '#i18n/languages.ts'
import type { AuditActor } from '#values/audit-actor.ts'
import type { Instant } from '#values/instant.ts'
import type { Actor } from './caller.ts'

/** What a handler knows of the request it serves, beside its input. */
export interface Context {
  /** The transaction of this request where its route has one, else the database. */
  readonly db: Db
  /** Runs `work` in a transaction of its own; resolves once it is durable. */
  readonly transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  readonly actor: Actor
  /** When the request arrived. */
  readonly now: Instant
  readonly requestId: string
  /** Who does what is being done, from where: what the audit trail is told. */
  readonly auditActor: () => AuditActor
  /** That of the caller where the answer holds sentences; elsewhere nobody has asked. */
  readonly language: Language
}
