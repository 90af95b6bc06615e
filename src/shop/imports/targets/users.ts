import { anonymous } from '#http/declare/actor.ts'
import { createMessage } from '#i18n/message.ts'
import { mergePatch, requestBody } from '#schema/words.ts'
import { createUser, saveUser } from '#shop/accounts/users/actions.ts'
import { createUserState, patchUserState, type UserState } from '#shop/accounts/users/rules.ts'
import { NewUser, User, type UserPatch } from '#shop/accounts/users/schema.ts'
import { copyUsers } from '#shop/accounts/users/scratch-store.ts'
import { findUsersByEmail } from '#shop/accounts/users/store.ts'
import type { UserRow } from '#shop/accounts/users/table.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { accountKey } from '#values/account-key.ts'
import { serverActor } from '#values/audit.ts'
import { Problem } from '#values/problem.ts'
import type { RowOutcome } from '../rules.ts'
import {
  bodyReader,
  catchRowErrors,
  type ImportContext,
  type ImportTarget,
  isRejected,
  type KeyedRow,
  keysOf,
  requireRowKey,
  textsOf,
  withoutNulls,
} from './target.ts'

const { name, email, age, username, status, language, external_id, role } = NewUser.properties

// A row may have the role, as exports do, but cannot change it.
const body = requestBody({ name, email, age, username, status, language, external_id, role }, User)
const readNew = bodyReader<NewUser>(body)
const readPatch = bodyReader<UserPatch>(mergePatch(body))

/** A problem of a field of a row. */
const rejected = (
  field: string,
  code: '4031' | '4033',
  key: 'import.role' | 'import.own_account' | 'import.sign_in' | 'import.fresh_sign_in',
): Problem => {
  const message = createMessage(key)
  return new Problem(code, message, { issues: [{ field, message }] })
}

/**
 * Throws as the API does: 403/4031 for another role; for a change of what identifies somebody or ends the access,
 * 403/4033 without a full sign-in and 403/4031 without a fresh one. A change of the own account needs the
 * password, which a file does not have: 403/4031.
 */
function requirePermitted(
  before: UserRow | undefined,
  state: UserState,
  wanted: UserPatch,
  { userId, credential }: ImportContext,
): void {
  if ((wanted.role ?? null) !== null && wanted.role !== (before?.role ?? 'customer')) {
    throw rejected('role', '4031', 'import.role')
  }
  const current = before ?? { ...state, status: 'active' as const }
  const field = (['email', 'status', 'username'] as const).find(
    (name) => state[name] !== current[name],
  )
  if (field === undefined) return
  if (!credential.isFullSignIn) throw rejected(field, '4033', 'import.sign_in')
  if (before?.id === userId) throw rejected(field, '4031', 'import.own_account')
  if (!credential.isFreshSignIn) throw rejected(field, '4031', 'import.fresh_sign_in')
}

function stateOf(before: UserRow | undefined, { fields }: KeyedRow, ctx: ImportContext): UserState {
  const { role: _, ...wanted } = before
    ? readPatch(fields, ctx.shop)
    : readNew(withoutNulls(fields), ctx.shop)
  const state = before
    ? patchUserState(before, wanted)
    : createUserState({ language: 'en', ...(wanted as NewUser) })
  requirePermitted(before, state, fields as UserPatch, ctx)
  return state
}

/** Users by their email, without passwords and roles. */
export const userTarget: ImportTarget = {
  scope: 'users:write',
  body,
  latestBody: body,
  keyField: 'email',
  keyOf: (fields) => accountKey(requireRowKey(fields, 'email')),
  copyRelated: (from, to, rows) =>
    copyUsers(
      from,
      to,
      [...keysOf(rows), ...textsOf(rows, 'username').map(accountKey)],
      textsOf(rows, 'external_id'),
    ),
  // A user has no long text.
  weigh: async () => 0,
  save: async (ctx, rows) => {
    const { db, now, userId } = ctx
    const known = await findUsersByEmail(db, keysOf(rows))
    const byEmail = new Map(known.map((user) => [user.email_key, user]))
    const auditActor = () => ({ ...serverActor(now), actorId: userId })
    const context = { db, now, actor: anonymous, auditActor }
    const outcomes: RowOutcome[] = []
    for (const row of rows) {
      const before = byEmail.get(row.key)
      const state = catchRowErrors(() => stateOf(before, row, ctx))
      if (isRejected(state)) outcomes.push(state)
      else if (!before) {
        await createUser(context, state)
        outcomes.push('created')
      } else if (isUnchanged(before, state)) outcomes.push('unchanged')
      else {
        await saveUser(context, before, state)
        outcomes.push('updated')
      }
    }
    return outcomes
  },
}
