import { Type } from 'typebox'
import { anonymous } from '#http/declare/actor.ts'
import { createMessage } from '#i18n/message.ts'
import { mergePatch, nullable, requestBody } from '#schema/words.ts'
import { saveDefaultAddress } from '#shop/accounts/addresses/actions.ts'
import { completeAddress } from '#shop/accounts/addresses/rules.ts'
import { AddressBody, type AddressPatch } from '#shop/accounts/addresses/schema.ts'
import { type Address, addresses } from '#shop/accounts/addresses/table.ts'
import { createUser, saveUser } from '#shop/accounts/users/actions.ts'
import { createUserState, patchUserState, type UserState } from '#shop/accounts/users/rules.ts'
import { NewUser, User, type UserPatch } from '#shop/accounts/users/schema.ts'
import { copyUsers } from '#shop/accounts/users/scratch-store.ts'
import type { UserRow } from '#shop/accounts/users/table.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { accountKey } from '#values/account-key.ts'
import { serverActor } from '#values/audit.ts'
import { type FieldIssue, fieldProblem, Problem } from '#values/problem.ts'
import { errorsOf, type RowOutcome, rootOf } from '../rules.ts'
import { lineBreakIssues, requireOneLine } from './one-line.ts'
import {
  bodyReader,
  catchIssues,
  type ImportContext,
  type ImportTarget,
  type KeyedRow,
  textsOf,
  withoutNulls,
} from './target.ts'
import { KnownUsers, keyOfUser, phonesOf, userKeyFields } from './user-keys.ts'

const { name, email, age, username, status, language, phone, external_id, role } =
  NewUser.properties
// A row may have the role, as exports do, but cannot change it.
const fields = { name, email, age, username, status, language, phone, external_id, role }
const { is_default: _, ...addressFields } = AddressBody.properties
const address = { address: requestBody(addressFields, AddressBody) }
const addressPatch = mergePatch(address.address)

/** The fields of a user, and of the default address. */
const body = requestBody({ ...fields, address: Type.Optional(nullable(addressPatch)) }, User)
const readNew = bodyReader<NewUser & WithAddress>(body)
const readPatch = bodyReader<UserPatch & WithAddress>(mergePatch(body))
const AddressOfRow = requestBody(address, Type.Object({}))
const readAddress = bodyReader<{ readonly address: AddressBody }>(AddressOfRow)

interface WithAddress {
  readonly address?: AddressPatch | null
}
/** What a row makes of a user. */
interface UserChange {
  readonly before: UserRow | undefined
  readonly state: UserState
  /** The default address so far, and what is to become of it; undefined where it stays. */
  readonly address:
    | { readonly current: Address | undefined; readonly body: AddressBody }
    | undefined
}

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

/** Returns what a row makes of a user. Throws a Problem for what the API would reject. */
async function changeOf(
  row: KeyedRow,
  before: UserRow | undefined,
  ctx: ImportContext,
): Promise<UserChange> {
  const { fields } = row
  const {
    role: _role,
    address: patch,
    ...wanted
  } = before ? readPatch(fields, ctx.shop) : readNew(withoutNulls(fields), ctx.shop)
  const state = before
    ? patchUserState(before, wanted)
    : createUserState({ language: 'en', ...(wanted as NewUser) })
  requirePermitted(before, state, fields as UserPatch, ctx)
  requireOneLine(NewUser, wanted, (field) => {
    const name = field as keyof UserState
    return before?.[name] === state[name]
  })
  if (!patch) return { before, state, address: undefined }
  const owned = before && { user_id: before.id, is_default: true }
  const current = owned && (await addresses.find(ctx.db, owned))
  const body = current ? patch : newAddress(row, state, ctx)
  requireOneLine(AddressOfRow, { address: body }, (field) => {
    const name = field.replace('address.', '') as keyof AddressBody
    return current?.[name] === body[name]
  })
  requirePlace(body, current)
  return { before, state, address: { current, body: body as AddressBody } }
}

/** Returns the first address of a user, whose recipient is the user unless the row names another. */
const newAddress = (
  { fields }: KeyedRow,
  { name: recipient }: UserState,
  { shop }: ImportContext,
): AddressBody => {
  const given = withoutNulls(fields['address'] as KeyedRow['fields'])
  return readAddress({ address: { recipient, ...given } }, shop).address
}

/** Returns what is wrong with a first address, also what it has not. */
const issuesOfAddress = (
  given: AddressPatch,
  { name: recipient }: KeyedRow['fields'],
  shop: ImportContext['shop'],
): readonly FieldIssue[] =>
  catchIssues(() => {
    const { address } = readAddress({ address: { recipient, ...given } }, shop)
    requirePlace(address, undefined)
    requireOneLine(AddressOfRow, { address }, () => false)
  })

/** Throws as `completeAddress` does, of the address of a row. */
function requirePlace(body: AddressPatch, current: Address | undefined): void {
  try {
    completeAddress(body, current)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const issues = error.issues.map((issue) => ({ ...issue, field: `address.${issue.field}` }))
    throw fieldProblem(issues)
  }
}

/** Stores what a row makes of a user; returns what it has led to. */
async function saveChange(
  { before, state, address }: UserChange,
  known: KnownUsers,
  { db, now, userId }: ImportContext,
): Promise<RowOutcome> {
  const auditActor = () => ({ ...serverActor(now), actorId: userId })
  const context = { db, now, actor: anonymous, auditActor }
  const isSame = before !== undefined && isUnchanged(before, state)
  const saved = before ? await saveUser(context, before, state) : await createUser(context, state)
  known.set(saved)
  const isMoved =
    address && (await saveDefaultAddress(db, saved.id, address.current, address.body, now))
  if (!before) return 'created'
  return isSame && !isMoved ? 'unchanged' : 'updated'
}

/** Users by their ID of another system, email or telephone number, without passwords and roles. */
export const userTarget: ImportTarget = {
  scope: 'users:write',
  body,
  latestBody: body,
  keyFields: userKeyFields,
  keyOf: keyOfUser,
  copyRelated: (from, to, rows) =>
    copyUsers(from, to, {
      names: [...textsOf(rows, 'email'), ...textsOf(rows, 'username')].map(accountKey),
      externalIds: textsOf(rows, 'external_id'),
      phones: phonesOf(rows),
    }),
  issuesOf: ({ address: given, ...fields }, shop) => {
    const read = (values: KeyedRow['fields']) => catchIssues(() => readNew(values, shop))
    const ofAddress =
      given === undefined ? [] : issuesOfAddress(given as AddressPatch, fields, shop)
    return [
      ...read(withoutNulls(fields)),
      ...lineBreakIssues(NewUser, fields),
      ...ofAddress,
    ].filter(({ field, missing }) => !missing || rootOf(field) === 'address')
  },
  // A user has no long text.
  weigh: async () => 0,
  save: async (ctx, rows) => {
    const known = await KnownUsers.read(ctx.db, rows)
    const outcomes: RowOutcome[] = []
    for (const row of rows) {
      const change = await rowErrors(async () => changeOf(row, await known.find(row), ctx))
      outcomes.push('before' in change ? await saveChange(change, known, ctx) : change)
    }
    return outcomes
  },
}

/** Returns the outcome of work that writes nothing; the errors of a Problem that it throws. */
async function rowErrors<T>(work: () => Promise<T>): Promise<T | ReturnType<typeof errorsOf>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) return errorsOf(error)
    throw error
  }
}
