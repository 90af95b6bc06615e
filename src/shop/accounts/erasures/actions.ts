import type { Context } from '#http/declare/context.ts'
import { eraseUser, requireAnotherAdmin } from '#shop/accounts/users/actions.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import type { UserRow } from '#shop/accounts/users/table.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { queueErasureMail } from '#shop/messages/mails/erasure-mail.ts'
import type { PersonalData, PersonalDataParts } from '#shop/personal-data.ts'
import type { Recovery } from '#shop/recovery.ts'
import type { Db } from '#store/database.ts'
import { type RunTransaction, requireWrittenRow } from '#store/stale-write.ts'
import { type AuditActor, serverActor } from '#values/audit.ts'
import { dayMs, type Instant, minuteMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import type { ErasureBody } from './schema.ts'
import * as store from './store.ts'
import { type ErasureRow, erasures } from './table.ts'

/** How users are erased. */
export interface ErasureParts extends PersonalDataParts {
  /** The days in which an erasure can be withdrawn; 0 erases at once, 7 by default. */
  readonly eraseGraceDays?: number
}

/** Requests the erasure of the caller. Throws 403/4031 if the proved password has changed since. */
export async function requestErasure(
  parts: ErasureParts,
  ctx: Context,
  { reason }: ErasureBody,
): Promise<ErasureRow> {
  const user = await findUser(ctx.db, ctx.actor.userId ?? 0)
  if (!user || user.deleted_at !== null) throw problem('4012', 'detail.stale_account')
  if (ctx.provedHash !== undefined && ctx.provedHash !== user.password_hash) {
    throw problem('4031', 'detail.wrong_password')
  }
  return scheduleErasure(parts, ctx, user, reason)
}

/**
 * Schedules the erasure of a user, who gets a mail, or erases at once without a grace period. Of an existing erasure,
 * only the reason changes, if one is given. Throws 409/4091 for the last administrator.
 */
export async function scheduleErasure(
  { personalDataDeclarations, eraseGraceDays: graceDays = 7 }: ErasureParts,
  ctx: Context,
  user: UserRow,
  reason?: string | null,
): Promise<ErasureRow> {
  const { db, now } = ctx
  const user_id = user.id
  const existing = await erasures.find(db, { user_id, erased_at: null })
  if (existing) {
    if (reason === undefined) return existing
    const open = { user_id, erased_at: null }
    return requireWrittenRow(await erasures.updateRow(db, open, { reason }))
  }
  await requireAnotherAdmin(db, user)
  const row = { user_id, reason: reason ?? null, erase_at: now + graceDays * dayMs }
  await store.insertErasure(db, row, now)
  await recordAuditEvent(db, ctx.auditActor(), { action: 'erasure_scheduled', subjectId: user_id })
  if (graceDays === 0) await eraseUser(db, personalDataDeclarations, user, ctx.auditActor())
  else await queueErasureMail(db, user, now)
  return { ...row, erased_at: null, settled_at: null, created_at: now }
}

/** Withdraws an erasure; does nothing when it has been done in the meantime. */
export async function cancelErasure(
  db: Db,
  user_id: number,
  auditActor: AuditActor,
): Promise<void> {
  if ((await erasures.delete(db, { user_id, erased_at: null })) === 0) return
  const event = { action: 'erasure_withdrawn', subjectId: user_id } as const
  await recordAuditEvent(db, auditActor, event)
}

/** Withdraws the erasure of a user. */
export const erasureRecovery: Recovery = {
  resources: [],
  tables: [],
  end: cancelErasure,
}

/** The maximum number of users that a job erases or finishes at once. */
export const erasureBatchSize = 20
/** Longer than any request takes that began before the erasure. */
const finishAfterMs = 5 * minuteMs

/** Erases the users whose grace period has ended, each exactly once, and returns how many. */
export async function eraseDueUsers(
  transaction: RunTransaction,
  db: Db,
  personalDataDeclarations: readonly PersonalData[],
  now: Instant,
): Promise<number> {
  const due = await store.listDueErasures(db, now, erasureBatchSize)
  let count = 0
  for (const { user_id } of due) {
    const isErased = await transaction(async (transactionDb) => {
      if (!(await store.claimErasure(transactionDb, user_id, now))) return false
      const user = await findUser(transactionDb, user_id)
      if (!user || user.deleted_at !== null) return false
      await eraseUser(transactionDb, personalDataDeclarations, user, serverActor(now))
      return true
    })
    if (isErased) count += 1
  }
  return count
}

/**
 * Erases again, minutes after an erasure, to remove data that concurrent requests added, and scrubs
 * deleted data from the database files. Returns how many erasures are finished, 0 when scrubbing failed
 * and the next run has to repeat it.
 */
export async function finishErasures(
  transaction: RunTransaction,
  db: Db,
  {
    personalDataDeclarations,
    purgeDeletedRows,
  }: PersonalDataParts & {
    readonly purgeDeletedRows: () => Promise<boolean>
  },
  now: Instant,
): Promise<number> {
  const unfinished = await store.listUnfinishedErasures(db, now - finishAfterMs, erasureBatchSize)
  if (unfinished.length === 0) return 0
  for (const { user_id: id } of unfinished) {
    await transaction(async (transactionDb) => {
      for (const { erase } of personalDataDeclarations) await erase(transactionDb, { id, now })
    })
  }
  if (!(await purgeDeletedRows())) return 0
  for (const { user_id } of unfinished) await store.finishErasure(db, user_id, now)
  return unfinished.length
}
