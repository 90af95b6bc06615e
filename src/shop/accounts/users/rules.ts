import type { Role } from '#http/declare/actor.ts'
import type { Context } from '#http/declare/context.ts'
import { defaultLanguage, type Language } from '#i18n/languages.ts'
import { createMessage } from '#i18n/message.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, type Problem, problem } from '#values/problem.ts'
import { isSimilarToName } from '#values/similar-name.ts'
import { minPasswordLength, type UserBody, type UserPatch } from './schema.ts'
import { keyOfName as keyOf, type UserRow } from './table.ts'

/** The mutable state of a user; `email_key` and `username_key` are compared for uniqueness. */
export type UserState = Pick<UserRow, 'name' | 'age' | 'role' | 'status' | 'language'> &
  Pick<UserRow, 'email' | 'email_key' | 'email_verified' | 'username' | 'username_key'> &
  Pick<UserRow, 'password_hash' | 'digest_secret' | 'external_id' | 'phone'>

/** A new password, hashed. */
export interface PreparedPassword {
  readonly hash: string
  /** Makes the Digest secret of the password for a username. */
  readonly createDigestSecret: (username: string) => string | null
  /** Throws 422/4221 when the password is similar to one of the names. */
  readonly requireUnlike: (names: readonly (string | null)[]) => void
}

/** The network of an address of a user: the one that gave it, while it is not confirmed. */
export const addressNetwork = (
  { email, email_verified }: Pick<UserState, 'email' | 'email_verified'>,
  network: string | null,
): string | null => (email === null || email_verified === 1 ? null : network)

/** The personal fields of an erased user; the name is replaced separately. */
export const emptyPersonalFields = {
  email: null,
  email_key: null,
  age: null,
  username: null,
  username_key: null,
  password_hash: null,
  digest_secret: null,
  language: defaultLanguage,
  external_id: null,
  phone: null,
  email_verified: 0,
} as const

const defaultState: UserState = {
  name: '',
  ...emptyPersonalFields,
  role: 'customer',
  status: 'active',
}

/** Adds the computed fields of the representation to a user. */
export const presentUser = <U extends Pick<UserState, 'email_verified'>>(user: U) => ({
  ...user,
  email_verified: user.email_verified === 1,
})

/** Returns the state of a new user. Throws 422/4221 for the same reasons as PATCH. */
export const createUserState = (body: UserBody, password?: PreparedPassword): UserState =>
  patchUserState(defaultState, body, password)

/**
 * Returns the user after PUT: absent `email` and `age` become null; absent username, password, role,
 * status, language and external ID stay. Throws 422/4221 for the same reasons as PATCH.
 */
export const replaceUserState = (
  user: UserState,
  body: UserBody,
  password?: PreparedPassword,
): UserState => patchUserState(user, { email: null, age: null, ...body }, password)

/**
 * Returns the user after PATCH; a null username becomes the email, and a new email is not verified.
 * `password` replaces the one of the user; that of the body is not read. A guest becomes a customer
 * with a password. Throws 422/4221 when a user with a password has
 * neither, when the new password is similar to one of the names, and for another change from or to
 * a guest; 400/4001 when a guest registers without what an account needs.
 */
export function patchUserState(
  user: UserState,
  patch: UserPatch,
  password?: PreparedPassword,
): UserState {
  const { name, email, age, status, language, external_id, phone } = { ...user, ...patch }
  const emailKey = keyOf(email)
  const role = nextRole(user, patch, password)
  const isGuest = role === 'guest'
  const username = isGuest ? null : (chosenUsername(user, patch, emailKey) ?? email)
  if (username !== user.username || emailKey !== user.email_key) {
    requireOwnAddress(username, emailKey)
  }
  const password_hash = password?.hash ?? user.password_hash
  if (password_hash !== null && username === null) {
    throw fieldProblem([{ field: 'username', message: createMessage('user.username_needed') }])
  }
  password?.requireUnlike([name, email, username])
  return {
    name,
    email,
    // Guests share addresses: the keys are those of accounts.
    email_key: isGuest ? null : emailKey,
    age,
    username,
    username_key: keyOf(username),
    password_hash,
    digest_secret: nextDigestSecret(user, password, username),
    role,
    status,
    language,
    external_id,
    phone,
    email_verified: emailKey === keyOf(user.email) ? user.email_verified : 0,
  }
}

/** Returns the username after a change; null for the email. A username that is the email changes with it. */
function chosenUsername(
  user: UserState,
  { username }: UserPatch,
  emailKey: string | null,
): string | null {
  const isKept = username === undefined || username === user.username
  if (!isKept) return username
  const followsEmail = user.username_key === user.email_key && emailKey !== user.email_key
  return followsEmail ? null : user.username
}

/** True for a name that can be an address. */
export const isAddress = (name: string): boolean => accountKey(name).includes('@')

/**
 * Throws 422/4221 for a username with an @ that is not the email of the account: it may be the address of a
 * stranger. So no username is the email of another account, and each column alone is unique.
 */
function requireOwnAddress(username: string | null, emailKey: string | null): void {
  if (username === null || !isAddress(username) || keyOf(username) === emailKey) return
  throw fieldProblem([{ field: 'username', message: createMessage('user.username_is_address') }])
}

/** The name of a guest who has given none. */
export const defaultGuestName = 'Guest'

/** Returns the state of a new guest, whose email need not be unique. */
export const createGuestState = ({
  name = defaultGuestName,
  email = null,
  language,
}: {
  readonly name?: string
  readonly email?: string | null
  readonly language: Language
}): UserState => ({ ...defaultState, name, email, language, role: 'guest' })

function nextRole(user: UserState, patch: UserPatch, password?: PreparedPassword): Role {
  const { role = user.role } = patch
  if (role !== user.role && (role === 'guest' || user.role === 'guest')) {
    throw fieldProblem([{ field: 'role', message: createMessage('user.guest_role') }])
  }
  const isRegistering = password !== undefined || (patch.username ?? null) !== null
  if (role !== 'guest' || !isRegistering) return role
  requireRegistrable({ ...user, ...patch }, patch, password)
  return 'customer'
}

/** Throws 400/4001, naming each, when a guest registers without password, name or sign-in name. */
function requireRegistrable(
  { name, username, email }: UserState,
  patch: UserPatch,
  password?: PreparedPassword,
): void {
  const missing = (field: string, message = createMessage('field.required')) => [
    { field, message, missing: true } as const,
  ]
  const isNameless = patch.name === undefined && name === defaultGuestName
  const issues = [
    ...(isNameless ? missing('name') : []),
    ...(password === undefined ? missing('password') : []),
    ...(username === null && email === null
      ? missing('username', createMessage('user.username_needed'))
      : []),
  ]
  if (issues.length > 0) throw fieldProblem(issues)
}

/** The secret depends on password and username, so a change of either invalidates it. */
function nextDigestSecret(
  user: UserState,
  password: PreparedPassword | undefined,
  username: string | null,
): string | null {
  if (password) return username === null ? null : password.createDigestSecret(username)
  return username === user.username ? user.digest_secret : null
}

/**
 * Requires `current_password` from a caller who changes their own username or password. Throws 400/4001 when it is absent and 403/4031 when the
 * password has changed since it was verified. Does nothing when the user has no password.
 */
export function requireCurrentPassword(
  { actor: { userId }, provedHash }: Pick<Context, 'actor' | 'provedHash'>,
  user: Pick<UserState, 'username' | 'password_hash'> & { readonly id: number },
  patch: UserPatch,
): void {
  const isRenamed = patch.username !== undefined && patch.username !== user.username
  const changesSignIn = isRenamed || patch.password !== undefined
  if (!changesSignIn || user.id !== userId || user.password_hash === null) return
  if (provedHash === undefined) {
    const message = createMessage('field.required')
    throw fieldProblem([{ field: 'current_password', message, missing: true }])
  }
  if (provedHash !== user.password_hash) throw problem('4031', 'detail.wrong_password')
}

/** True for an administrator, and for a user who has confirmed the address of the account. */
export const isConfirmed = ({
  role,
  email_verified,
}: Pick<UserState, 'role' | 'email_verified'>): boolean => role === 'admin' || email_verified === 1

/** The problem of a password with too few characters besides blanks. */
export const shortPasswordProblem = () =>
  fieldProblem([
    { field: 'password', message: createMessage('field.min_length', { limit: minPasswordLength }) },
  ])

/** Creates the 422/4221 problem for a commonly used password. */
export const commonPasswordProblem = (): Problem =>
  fieldProblem([{ field: 'password', message: createMessage('user.common_password') }])

/** Throws 422/4221 for a password that is similar to one of the names or to the shop's name. */
export function requirePasswordUnlikeNames(
  password: string,
  names: readonly (string | null)[],
): void {
  if (!isSimilarToName(password, names)) return
  throw fieldProblem([{ field: 'password', message: createMessage('user.password_is_name') }])
}

/** An administrator, and when the account is to be erased; null for no scheduled erasure. */
export interface Administrator extends Pick<UserState, 'role' | 'status'> {
  readonly id: number
  readonly erase_at: Instant | null
}

/** Returns true for a user who may sign in and administer the shop. */
export const isAdmin = ({ role, status }: Pick<UserState, 'role' | 'status'>): boolean =>
  role === 'admin' && status === 'active'

/** Throws 409/4091 unless another administrator without a scheduled erasure remains. */
export function requireAnotherAdministrator(
  admins: readonly Administrator[],
  { id }: Pick<Administrator, 'id'>,
): void {
  const remains = (admin: Administrator) => isAdmin(admin) && admin.erase_at === null
  if (!admins.some((admin) => admin.id !== id && remains(admin))) {
    throw problem('4091', 'user.last_admin')
  }
}

/** Returns true when the email key or the username key differs. */
export const changesAccountKeys = (before: UserState, after: UserState): boolean =>
  before.email_key !== after.email_key || before.username_key !== after.username_key
