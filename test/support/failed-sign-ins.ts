import type { Db } from '#store/database.ts'

/** The audit events of failed sign-ins with a credential: subject, actor, address and details. */
export async function readFailedSignIns(db: Db, credential: string): Promise<unknown[][]> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['subject_id', 'actor_id', 'address', 'details'])
    .where('action', '=', 'sign_in_failed')
    .where('credential', '=', credential)
    .orderBy('id')
    .execute()
  return rows.map(Object.values)
}
