import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import type { ComputedInclude } from '#http/declare/related.ts'
import { stringEnum } from '#schema/words.ts'
import { type PasswordCheckParts, verifyPassword } from '#shop/accounts/passwords/verify.ts'
import { type NewAuditEvent, recordAuditEvent } from '#shop/audit/record.ts'
import { callerNetwork } from '#shop/caller-network.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { withoutPersonalData } from '#shop/events/personal-data-store.ts'
import { queueAddressChangeMail } from '#shop/messages/mails/address-change.ts'
import { findFormerAddress } from '#shop/messages/mails/former-address-store.ts'
import { endPasswordLinks } from '#shop/messages/mails/token-store.ts'
import type { PersonalData } from '#shop/personal-data.ts'
import type { Recovery, RecoveryParts } from '#shop/recovery.ts'
import type { Db } from '#store/database.ts'
import { isUnchanged } from '#store/unchanged.ts'
import type { AuditActor } from '#values/audit.ts'
import { problem } from '#values/problem.ts'
import { endUserSessions, revokeUserTokens } from './end-access-store.ts'
import { userEvent } from './events.ts'
import { isAdmin, requireAnotherAdministrator, type UserState } from './rules.ts'
import * as store from './store.ts'
import type { UserRow } from './table.ts'

/**
 * Verifies the caller's own password and returns the hash it matched, so that a later transaction
 * can check that the password has not changed. Throws 403/4031 for a wrong password and 429/4291
 * after too many failures.
 */
export async function verifyOwnPassword(
  parts: PasswordCheckParts,
  { db, actor, auditActor }: Pick<Context, 'db' | 'actor' | 'auditActor'>,
  password: string,
): Promise<string> {
  const account = await store.findUser(db, actor.userId ?? 0)
  const claim = { name: `user ${actor.userId}`, account, auditActor: auditActor() }
  const isCorrect = await verifyPassword(db, parts, claim, password)
  if (!isCorrect || !account?.password_hash) throw problem('4031', 'detail.wrong_password')
  return account.password_hash
}

/** Inserts a user; records an audit event when the user is an administrator. */
export async function createUser(
  ctx: Pick<Context, 'db' | 'now' | 'actor' | 'auditActor'>,
  state: UserState,
): Promise<UserRow> {
  const { db, now, auditActor } = ctx
  const user = await store.insertUser(db, state, now, callerNetwork(ctx))
  if (user.role === 'admin') {
    await recordAuditEvent(db, auditActor(), {
      action: 'administrator_created',
      subjectId: user.id,
    })
  }
  await recordEvents(db, [userEvent('user.created', user, now)])
  return user
}

/**
 * Saves a user, if anything has changed, and records audit events for changes of username, e-mail
 * address, password, role and status. A new password ends all sessions except the current one, unless
 * `endsOthers` is false; a
 * new role or a suspension ends all. A new address queues a mail to the former one. Throws 409/4091
 * when the last administrator would lose the role or be suspended.
 */
export async function saveUser(
  ctx: Pick<Context, 'db' | 'now' | 'actor' | 'auditActor'>,
  user: UserRow,
  state: UserState,
  { endsOthers = true }: { readonly endsOthers?: boolean } = {},
): Promise<UserRow> {
  const { db, now } = ctx
  if (isUnchanged(user, state)) return user
  if (isAdmin(user) && !isAdmin(state)) await requireAnotherAdmin(db, user)
  const isNewAddress = state.email_key !== user.email_key
  const former = isNewAddress ? await findFormerAddress(db, user.id, now) : undefined
  // Whoever returns to the former address had confirmed it.
  const isReturn = former !== undefined && former.email_key === state.email_key
  const network = callerNetwork(ctx)
  const wanted = isReturn ? { ...state, email_verified: 1 } : state
  const saved = await saveAudited(ctx, user, wanted, network)
  const isNewPassword = saved.password_hash !== user.password_hash
  const isNewRole = saved.role !== user.role
  // Whoever reads the mails of the former address, or knows the former password, has no say any more.
  if (isNewPassword || isNewAddress) await endPasswordLinks(db, user.id)
  if (isNewAddress) await queueAddressChangeMail(db, user, { former, isReturn, network }, now)
  // The scopes of a consent mean something else in another role.
  if ((isNewPassword && endsOthers) || isNewRole) await revokeUserTokens(db, user.id)
  if (isNewRole || isSuspended(saved)) {
    await endUserSessions(db, { userId: user.id }, now)
  } else if (isNewPassword && endsOthers) {
    const exceptId = ctx.actor.credential?.sessionId
    await endUserSessions(db, { userId: user.id, exceptId }, now)
  }
  await recordEvents(db, [userEvent('user.updated', saved, now)])
  return saved
}

/**
 * Saves a user as the holder of the address, or the operator, has it, and ends everything with which
 * somebody else may act as the user. Nobody learns of it by a link that undoes it.
 */
export async function recoverUser(
  ctx: Pick<Context, 'db' | 'now' | 'auditActor'>,
  recoveries: readonly Recovery[],
  user: UserRow,
  state: UserState,
): Promise<UserRow> {
  const { db, now } = ctx
  const saved = await saveAudited(ctx, user, state)
  for (const { end } of recoveries) await end(db, user.id, ctx.auditActor())
  await recordEvents(db, [userEvent('user.updated', saved, now)])
  return saved
}

/** Gives an account what awaits its address, if a change has confirmed that. */
export async function finishConfirmation(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { onAddressConfirmed }: Pick<RecoveryParts, 'onAddressConfirmed'>,
  before: UserRow,
  { id, email_key, email_verified }: UserRow,
): Promise<void> {
  const wasConfirmed = before.email_verified === 1 && before.email_key === email_key
  if (email_verified === 0 || email_key === null || wasConfirmed) return
  await onAddressConfirmed(db, { id, email_key }, now)
}

async function saveAudited(
  { db, now, auditActor }: Pick<Context, 'db' | 'now' | 'auditActor'>,
  user: UserRow,
  state: UserState,
  network: string | null = null,
): Promise<UserRow> {
  const saved = await store.saveUser(db, user, state, now, network)
  for (const event of auditedChanges(user, saved)) await recordAuditEvent(db, auditActor(), event)
  return saved
}

function auditedChanges(before: UserRow, after: UserRow): readonly NewAuditEvent[] {
  const subjectId = before.id
  const events: NewAuditEvent[] = []
  if (after.username !== before.username) events.push({ action: 'username_changed', subjectId })
  if (after.email_key !== before.email_key) events.push({ action: 'email_changed', subjectId })
  if (after.password_hash !== before.password_hash) {
    events.push({ action: 'password_changed', subjectId })
  }
  for (const field of ['role', 'status'] as const) {
    if (after[field] === before[field]) continue
    const details = { from: before[field], to: after[field] }
    events.push({ action: `${field}_changed`, subjectId, details })
  }
  return events
}

const isSuspended = ({ status }: Pick<UserState, 'status'>): boolean => status === 'suspended'

/**
 * Throws 409/4091 when `user` is the last active administrator without a scheduled erasure. Locks
 * the administrators, so that concurrent removals cannot leave none.
 */
export async function requireAnotherAdmin(db: Db, user: UserRow): Promise<void> {
  if (isAdmin(user)) requireAnotherAdministrator(await store.lockAdmins(db), user)
}

/**
 * Removes a user's personal data in a constant number of statements. The anonymized row stays, so
 * that its URL answers 410 and the ID is not reused. Orders, purchases and reviews stay without the
 * user's ID.
 */
export async function eraseUser(
  db: Db,
  personalDataDeclarations: readonly PersonalData[],
  user: UserRow,
  auditActor: AuditActor,
): Promise<void> {
  const { at: now } = auditActor
  // First, to wait for transactions that hold the row lock while they add data.
  await store.anonymizeUser(db, user, now)
  await recordAuditEvent(db, auditActor, { action: 'user_erased', subjectId: user.id })
  const events = [userEvent('user.deleted', user, now), userEvent('user.erased', user, now)]
  await recordEvents(db, events.map(withoutPersonalData))
  for (const { erase } of personalDataDeclarations) await erase(db, { id: user.id, now })
}

/** The maximum number of entries of each list in an export. */
const maxExportEntries = 2_000
/** The maximum size of each list, and of all of them, in bytes of JSON. */
const maxListBytes = 1_000_000
const maxExportBytes = 4_000_000

/** The scopes that reading the same data from its own resources requires. */
const exportScopes = [
  'users:read',
  'orders:read',
  'carts:write',
  'purchases:read',
  'keys:write',
] as const

/** Returns the first entries that have at most so many bytes of JSON together. */
function newestWithin(entries: readonly object[], maxBytes: number) {
  let bytes = 0
  for (const [at, entry] of entries.entries()) {
    const size = Buffer.byteLength(JSON.stringify(entry))
    if (bytes + size > maxBytes) return { newest: entries.slice(0, at), bytes }
    bytes += size
  }
  return { newest: entries, bytes }
}

/**
 * Creates the include that exports a user's personal data: a list per declaration, newest entries
 * first, read in a constant number of statements. An export by another caller is an audit event.
 */
export function userDataInclude(
  personalDataDeclarations: readonly PersonalData[],
): ComputedInclude<{ readonly id: number }> {
  const exported = personalDataDeclarations.flatMap(({ name, description, dataExport }) =>
    dataExport ? [{ name, description, dataExport }] : [],
  )
  const lists = exported.map(({ name, description, dataExport }) => [
    name,
    Type.Array(dataExport.schema, { description }),
  ])
  const incompleteSchema = Type.Array(stringEnum(exported.map(({ name }) => name)), {
    description: `The lists that were cut to their newest entries: at most ${maxExportEntries}, or 1 MB.`,
  })
  return {
    name: 'user_data',
    description: 'All personal data of a user, except the account itself.',
    schema: Type.Object({ ...Object.fromEntries(lists), incomplete: incompleteSchema }),
    scopes: exportScopes,
    load: async (ctx, { id }) => {
      const { db, actor } = ctx
      const data: Record<string, readonly object[]> = {}
      const incomplete: string[] = []
      let left = maxExportBytes
      for (const { name, dataExport } of exported) {
        await nextTurn()
        const { entries, isComplete } = await dataExport.read(db, id, maxExportEntries)
        const { newest, bytes } = newestWithin(entries, Math.min(left, maxListBytes))
        data[name] = newest
        left -= bytes
        if (!isComplete || newest.length < entries.length) incomplete.push(name)
      }
      if (actor.userId !== id) {
        await recordAuditEvent(db, ctx.auditActor(), { action: 'data_exported', subjectId: id })
      }
      return { ...data, incomplete }
    },
  }
}
