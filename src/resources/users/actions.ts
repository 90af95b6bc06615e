import { Type } from 'typebox'
import type { Db } from '#db/database.ts'
import type { Context } from '#http/declare/context.ts'
import type { ComputedInclude } from '#http/declare/resource.ts'
import { oneOf } from '#http/declare/schema.ts'
import { type AuditedAct, recordEvent } from '#resources/audit-events/record.ts'
import type { Dependencies } from '#resources/dependencies.ts'
import { revokeTokensOf } from '#resources/oauth-clients/store.ts'
import type { PersonalData } from '#resources/personal-data.ts'
import { endSessionsOf } from '#resources/sessions/store.ts'
import type { AuditActor } from '#values/audit-actor.ts'
import { problem } from '#values/problem.ts'
import type { UserState } from './rules.ts'
import * as store from './store.ts'
import type { UserRow } from './table.ts'

/** What the proof of a password needs. */
export type PasswordProof = Pick<Dependencies, 'passwords' | 'loginThrottle'>

/**
 * Compares a password with the caller's own and returns the hash that it matches, so that a
 * transaction can tell whether it is still the current one. Throws 403/4031 for another password
 * and 429 after too many of those.
 */
export async function proveOwnPassword(
  { passwords, loginThrottle }: PasswordProof,
  { db, actor, now, auditActor }: Context,
  password: string,
): Promise<string> {
  const claim = { address: auditActor().address ?? '', name: `user ${actor.userId}`, now }
  const verify = async () => {
    const hash = (await store.findUser(db, actor.userId ?? 0))?.password_hash ?? null
    return (await passwords.matches(password, hash)) ? hash : null
  }
  const hash = await loginThrottle.check(claim, verify, ['address', 'pair'])
  if (hash === null) throw problem('4031', 'detail.wrong_password')
  return hash
}

/** Keeps a new user; the creation of an administrator is an audit event. */
export async function createUser(ctx: Context, state: UserState): Promise<UserRow> {
  const { db, now, auditActor } = ctx
  const user = await store.insertUser(db, state, now)
  if (user.role === 'admin') {
    await recordEvent(db, auditActor(), { action: 'administrator_created', subjectId: user.id })
  }
  return user
}

/**
 * Keeps a changed user, and writes down what of it the shop's safety hangs on. A new password ends
 * every session but the one in which it was set; another role and a suspension end all.
 */
export async function saveUser(
  ctx: Pick<Context, 'db' | 'now' | 'actor' | 'auditActor'>,
  user: UserRow,
  state: UserState,
): Promise<UserRow> {
  const { db, now } = ctx
  if (isAdmin(user) && !isAdmin(state)) await requireAnotherAdmin(db, user)
  const saved = await store.saveUser(db, user, state, now)
  for (const act of auditedIn(user, saved)) await recordEvent(db, ctx.auditActor(), act)
  const isNewPassword = saved.password_hash !== user.password_hash
  const isNewRole = saved.role !== user.role
  // What was consented to in one role reaches further, or less far, in another.
  if (isNewPassword || isNewRole) await revokeTokensOf(db, user.id)
  if (isNewRole || isSuspended(saved)) {
    await endSessionsOf(db, { userId: user.id }, now)
  } else if (isNewPassword) {
    // Who has set it goes on, wherever it was set.
    await endSessionsOf(db, { userId: user.id, kept: ctx.actor.credential?.sessionId }, now)
  }
  return saved
}

function auditedIn(before: UserRow, after: UserRow): readonly AuditedAct[] {
  const subjectId = before.id
  const acts: AuditedAct[] = []
  if (after.username !== before.username) acts.push({ action: 'username_changed', subjectId })
  if (after.password_hash !== before.password_hash) {
    acts.push({ action: 'password_changed', subjectId })
  }
  for (const field of ['role', 'status'] as const) {
    if (after[field] === before[field]) continue
    const details = { from: before[field], to: after[field] }
    acts.push({ action: `${field}_changed`, subjectId, details })
  }
  return acts
}

const isSuspended = ({ status }: Pick<UserState, 'status'>): boolean => status === 'suspended'

const isAdmin = ({ role, status }: Pick<UserState, 'role' | 'status'>): boolean =>
  role === 'admin' && status === 'active'

/**
 * Refuses with 409 to let the last administrator go who may sign in and is not about to leave; of
 * several who go at once, one has to stay.
 */
export async function requireAnotherAdmin(db: Db, user: UserRow): Promise<void> {
  if (!isAdmin(user)) return
  const ids = await store.lockAdmins(db)
  if (!ids.some((id) => id !== user.id)) throw problem('4091', 'user.last_admin')
}

/**
 * Removes a user and all that is personal, in a constant number of statements. The row stays,
 * nameless, so that the identifier answers 410 and is never given out again. Orders, purchases and
 * reviews stay for the shop without the user's identifier, so that nobody can tell any more whose
 * they were.
 */
export async function eraseUser(
  db: Db,
  personalDataDeclarations: readonly PersonalData[],
  user: UserRow,
  auditActor: AuditActor,
): Promise<void> {
  const { at: now } = auditActor
  // First, so that whoever holds the row to add something is waited for.
  await store.blankUser(db, user, now)
  await recordEvent(db, auditActor, { action: 'user_erased', subjectId: user.id })
  for (const { erase } of personalDataDeclarations) await erase(db, { id: user.id, now })
}

/** How many entries of a list are told at most, so that an export has a largest size. */
const toldAtMost = 2_000

/** What a credential holds that may ask for any of it where it is kept. */
const exportScopes = [
  'users:read',
  'orders:read',
  'carts:write',
  'purchases:read',
  'keys:write',
] as const

/**
 * All that is held on a user beside the account itself, a list for each holding, the newest entries
 * first; in a constant number of statements, one after the other. That it was told to somebody else
 * is written down.
 */
export function exportOf(
  personalDataDeclarations: readonly PersonalData[],
): ComputedInclude<{ readonly id: number }> {
  const told = personalDataDeclarations.flatMap(({ name, description, exportData }) =>
    exportData ? [{ name, description, exportData }] : [],
  )
  const lists = told.map(({ name, description, exportData }) => [
    name,
    Type.Array(exportData.schema, { description }),
  ])
  const incomplete = Type.Array(oneOf(told.map(({ name }) => name)), {
    description: `The lists of which only the newest entries are told, ${toldAtMost} at most.`,
  })
  return {
    name: 'user_data',
    description: 'All that is held on a user beside the account itself.',
    schema: Type.Object({ ...Object.fromEntries(lists), incomplete }),
    scopes: exportScopes,
    load: async (ctx, { id }) => {
      const { db, actor } = ctx
      const data: Record<string, readonly object[]> = {}
      const left: string[] = []
      for (const { name, exportData } of told) {
        const { entries, isAll } = await exportData.read(db, id, toldAtMost)
        data[name] = entries
        if (!isAll) left.push(name)
      }
      if (actor.userId !== id) {
        await recordEvent(db, ctx.auditActor(), { action: 'data_exported', subjectId: id })
      }
      return { ...data, incomplete: left }
    },
  }
}
