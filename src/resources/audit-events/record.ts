import type { Db } from '#db/database.ts'
import { prepared } from '#db/query/prepared.ts'
import type { AuditAction } from '#values/audit-action.ts'
import type { AuditActor } from '#values/audit-actor.ts'

/** What was done, and to whom. */
export interface AuditedAct {
  readonly action: AuditAction
  /** The user whom it concerns; null for a name that nobody has. */
  readonly subjectId: number | null
  /** Identifiers and words of ours; never a secret, nor anything that somebody has typed. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

const insert = prepared(
  (db: Db, param: AuditActor & { action: AuditAction; subjectId: number; details: string }) =>
    db.insertInto('audit_events').values({
      action: param.action,
      actor_id: param.actorId,
      subject_id: param.subjectId,
      address: param.address,
      credential: param.credential,
      request_id: param.requestId,
      details: param.details,
      at: param.at,
    }),
)

/**
 * Writes down in the audit trail what was done, by one statement: in the transaction of what was
 * done, so that neither is there without the other.
 */
export async function recordEvent(
  db: Db,
  auditActor: AuditActor,
  { action, subjectId, details }: AuditedAct,
): Promise<void> {
  // A value is never undefined; null is one.
  const values = {
    ...auditActor,
    action,
    subjectId: subjectId as number,
    details: (details === undefined ? null : JSON.stringify(details)) as string,
  }
  await insert.run(db, values)
}
