import type { Db } from '#db/database.ts'
import type { Transact } from '#db/stale-write.ts'
import type { Context } from '#http/declare/context.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import type { PersonalData } from '#resources/personal-data.ts'
import {
  eraseUser,
  type PasswordProof,
  proveOwnPassword,
  requireAnotherAdmin,
} from '#resources/users/actions.ts'
import { findUser } from '#resources/users/store.ts'
import { serverAt } from '#values/audit-actor.ts'
import { dayMs, type Instant, minuteMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import type { ErasureBody } from './schema.ts'
import * as store from './store.ts'
import type { ErasureRow } from './table.ts'

/** How the shop lets go of users. */
export interface ErasureOptions {
  readonly personalDataDeclarations: readonly PersonalData[]
  /** How long an erasure can be withdrawn, in days; 0 where it is done at once. */
  readonly graceDays: number
}

/** Puts the hash that a password was found to match in its place. Throws 403/4031 and 429. */
export const provePassword = async (
  proof: PasswordProof,
  ctx: Context,
  body: ErasureBody,
): Promise<ErasureBody> =>
  body.password === undefined
    ? body
    : { ...body, password: await proveOwnPassword(proof, ctx, body.password) }

/** Schedules that the caller is erased, or, without any grace, does it; asked again, it stays. */
export async function scheduleErasure(
  { personalDataDeclarations, graceDays }: ErasureOptions,
  ctx: Context,
  { password, reason = null }: ErasureBody,
): Promise<ErasureRow> {
  const { db, actor, now } = ctx
  const user_id = actor.userId ?? 0
  const user = await findUser(db, user_id)
  if (!user || user.deleted_at !== null) throw problem('4012', 'detail.stale_account')
  if (password !== undefined && password !== user.password_hash) {
    throw problem('4031', 'detail.wrong_password')
  }
  const known = await store.findErasure(db, user_id)
  if (known) return known
  await requireAnotherAdmin(db, user)
  const row = { user_id, reason, erase_at: now + graceDays * dayMs }
  await store.insertErasure(db, row, now)
  await recordEvent(db, ctx.auditActor(), { action: 'erasure_scheduled', subjectId: user_id })
  if (graceDays === 0) await eraseUser(db, personalDataDeclarations, user, ctx.auditActor())
  return { ...row, erased_at: null, settled_at: null, created_at: now }
}

/** Withdraws that a user is erased; nothing where it has been done in the meantime. */
export async function cancel(ctx: Context, { user_id }: ErasureRow): Promise<void> {
  if (!(await store.cancelErasure(ctx.db, user_id))) return
  await recordEvent(ctx.db, ctx.auditActor(), { action: 'erasure_withdrawn', subjectId: user_id })
}

/** How many are seen to in one round. */
const maxConcurrency = 20
// No request that was let in before the erasure is still at work by then.
const settleAfterMs = 5 * minuteMs

/** Erases whoever's time has come, each once whoever else is at it, and tells how many. */
export async function eraseDue(
  transaction: Transact,
  db: Db,
  personalDataDeclarations: readonly PersonalData[],
  now: Instant,
): Promise<number> {
  const due = await store.dueErasures(db, now, maxConcurrency)
  let count = 0
  for (const { user_id } of due) {
    const isDone = await transaction(async (inside) => {
      if (!(await store.claimErasure(inside, user_id, now))) return false
      const user = await findUser(inside, user_id)
      if (!user || user.deleted_at !== null) return false
      await eraseUser(inside, personalDataDeclarations, user, serverAt(now))
      return true
    })
    if (isDone) count += 1
  }
  return count
}

/**
 * Erases once more, some minutes later, what requests that were under way then have written since,
 * and has the database forget its traces; tried again where these cannot be removed yet.
 */
export async function settleErasures(
  transaction: Transact,
  db: Db,
  {
    personalDataDeclarations,
    scrub,
  }: Pick<ErasureOptions, 'personalDataDeclarations'> & { readonly scrub: () => Promise<boolean> },
  now: Instant,
): Promise<number> {
  const unsettled = await store.unsettledErasures(db, now - settleAfterMs, maxConcurrency)
  if (unsettled.length === 0) return 0
  for (const { user_id: id } of unsettled) {
    await transaction(async (inside) => {
      for (const { erase } of personalDataDeclarations) await erase(inside, { id, now })
    })
  }
  if (!(await scrub())) return 0
  for (const { user_id } of unsettled) await store.settleErasure(db, user_id, now)
  return unsettled.length
}
