import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { AuditAction, AuditActor } from '#values/audit.ts'

/** An audit event to record. */
export interface NewAuditEvent {
  readonly action: AuditAction
  /** The ID of the user whom it concerns; null when the name is unknown. */
  readonly subjectId: number | null
  /** IDs and values of enumerations; never a secret or free text from a client. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

const insert = prepareQuery(
  (
    db: Db,
    param: AuditActor & {
      action: AuditAction
      subjectId: number | null
      details: string | null
    },
  ) =>
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
 * Inserts an audit event with one statement. Call it in the transaction of the operation, so that
 * both commit or neither does.
 */
export async function recordAuditEvent(
  db: Db,
  auditActor: AuditActor,
  { action, subjectId, details }: NewAuditEvent,
): Promise<void> {
  const text = details === undefined ? null : JSON.stringify(details)
  await insert.run(db, { ...auditActor, action, subjectId, details: text })
}
