import type { Role } from '#kernel/actor.ts'
import type { Db } from '#store/database.ts'
import { prepared } from '#store/prepared.ts'

/** What decides whether the owner of a credential may call, and as what. */
export interface Account {
  readonly id: number
  readonly role: Role
  readonly status: 'active' | 'suspended'
  readonly deleted_at: number | null
}

const byId = prepared((db: Db, param: { id: number }) =>
  db.selectFrom('users').select(['id', 'role', 'status', 'deleted_at']).where('id', '=', param.id),
)

/** The account with this identifier, removed ones included, in one query. */
export const findAccount = (db: Db, id: number): Promise<Account | undefined> =>
  byId.first(db, { id })
