import type { Db } from '#db/database.ts'

/** The failed sign-ins by a kind of credential that were written down: subject, actor, address and details of each. */
export async function failedSignIns(db: Db, credential: string): Promise<unknown[][]> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['subject_id', 'actor_id', 'address', 'details'])
    .where('action', '=', 'sign_in_failed')
    .where('credential', '=', credential)
    .orderBy('id')
    .execute()
  return rows.map(Object.values)
}
