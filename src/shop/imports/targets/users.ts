import { anonymous } from '#http/declare/actor.ts'
import { createMessage } from '#i18n/message.ts'
import { mergePatch, requestBody } from '#schema/words.ts'
import { createUser, saveUser } from '#shop/accounts/users/actions.ts'
import { createUserState, patchUserState, type UserState } from '#shop/accounts/users/rules.ts'
import { NewUser, User, type UserPatch } from '#shop/accounts/users/schema.ts'
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
  requireRowKey,
  withoutNulls,
} from './target.ts'

const { name, email, age, username, status, language, role } = NewUser.properties

// A row may have the role, as exports do, but cannot change it.
const body = requestBody({ name, email, age, username, status, language, role }, User)
const readNew = bodyReader<NewUser>(body)
const readPatch = bodyReader<UserPatch>(mergePatch(body))

/** Throws 403/4031 for another role, and 403/4033 for what needs a full sign-in, as the API does. */
function requirePermitted(
  before: UserState | undefined,
  state: UserState,
  wanted: UserPatch,
  { isFullSignIn }: ImportContext,
): void {
  const reject = (code: '4031' | '4033', field: string, key: 'import.role' | 'import.sign_in') => {
    throw new Problem(code, createMessage(key), {
      issues: [{ field, message: createMessage(key) }],
    })
  }
  if ((wanted.role ?? null) !== null && wanted.role !== (before?.role ?? 'customer')) {
    reject('4031', 'role', 'import.role')
  }
  if (isFullSignIn) return
  const current = before ?? { ...state, status: 'active' as const }
  for (const field of ['email', 'username', 'status'] as const) {
    if (state[field] !== current[field]) reject('4033', field, 'import.sign_in')
  }
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
  keyOf: (fields) => accountKey(requireRowKey(fields, 'email')),
  save: async (ctx, rows) => {
    const { db, now, userId } = ctx
    const known = await findUsersByEmail(
      db,
      rows.map(({ key }) => key),
    )
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
