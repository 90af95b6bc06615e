import type { Actor } from '#http/declare/caller.ts'
import { createMessage } from '#i18n/message.ts'
import { accountKey } from '#values/account-key.ts'
import type { Instant } from '#values/instant.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import type { UserBody, UserPatch } from './schema.ts'

/** The changeable state of a user; the keys are what uniqueness is judged by. */
export interface UserState {
  readonly name: string
  readonly email: string | null
  readonly email_key: string | null
  readonly age: number | null
  readonly username: string | null
  readonly username_key: string | null
  readonly password_hash: string | null
  /** What Digest holds the password to, encrypted; made for one username. */
  readonly digest_secret: string | null
  readonly role: 'customer' | 'admin'
  readonly status: 'active' | 'suspended'
}

// What is hashed by the time the rules see a body.
interface Hashed {
  readonly password?: string
  /** In place of the current password, the hash that it was found to match. */
  readonly current_password?: string
  /** Makes what Digest holds the password to, for a username. */
  readonly digestFor?: (username: string) => string | null
  /** Refuses with 422 a password that is one of the user's names. */
  readonly requireUnlike?: (names: readonly (string | null)[]) => void
}

/** What is personal to a user beside the name, where there is none of it. */
export const impersonal = {
  email: null,
  email_key: null,
  age: null,
  username: null,
  username_key: null,
  password_hash: null,
  digest_secret: null,
} as const

const newcomer: UserState = {
  name: '',
  ...impersonal,
  role: 'customer',
  status: 'active',
}

/** The user that a whole body describes; its password is a hash. Refused as `reviseUser` is. */
export const describeUser = (body: UserBody & Hashed): UserState => reviseUser(newcomer, body)

/** The user after PUT: absent optional fields become null; what identifies and admits stays. */
export const replaceUser = (user: UserState, body: UserBody & Hashed): UserState =>
  reviseUser({ ...user, email: null, age: null }, body)

/**
 * The user after some fields are changed; the password among them is a hash. Without a username,
 * the email is it; refused with 422 when a password is left with neither, or is one of the names.
 */
export function reviseUser(user: UserState, patch: UserPatch & Hashed): UserState {
  const { name, email, age, role, status } = { ...stateOf(user), ...patch }
  const kept = patch.username === undefined ? user.username : patch.username
  const username = kept ?? email
  const password_hash = patch.password ?? user.password_hash
  if (password_hash !== null && username === null) {
    throw fieldProblem([{ field: 'username', message: createMessage('user.username_needed') }])
  }
  patch.requireUnlike?.([name, email, username])
  return {
    name,
    email,
    email_key: email === null ? null : accountKey(email),
    age,
    username,
    username_key: username === null ? null : accountKey(username),
    password_hash,
    digest_secret: digestOf(user, patch, username),
    role,
    status,
  }
}

/** It is of a password and a username, so that a new one of either ends it. */
function digestOf(user: UserState, { password, digestFor }: Hashed, username: string | null) {
  if (password !== undefined) return username === null ? null : (digestFor?.(username) ?? null)
  return username === user.username ? user.digest_secret : null
}

const stateOf = ({ name, email, age, role, status }: UserState) => ({
  name,
  email,
  age,
  role,
  status,
})

/**
 * Requires the proof of the current password from whoever changes the own username or password:
 * 400/4001 where `current_password` is not sent, 403/4031 where it was that of an earlier state.
 * Without a password there is none to prove.
 */
export function requireCurrentPassword(
  { userId }: Pick<Actor, 'userId'>,
  user: Pick<UserState, 'username' | 'password_hash'> & { readonly id: number },
  patch: UserPatch & Hashed,
): void {
  const isRenamed = patch.username !== undefined && patch.username !== user.username
  const changesSignIn = isRenamed || patch.password !== undefined
  if (!changesSignIn || user.id !== userId || user.password_hash === null) return
  if (patch.current_password === undefined) {
    const message = createMessage('field.required')
    throw fieldProblem([{ field: 'current_password', message, missing: true }])
  }
  if (patch.current_password !== user.password_hash) {
    throw problem('4031', 'detail.wrong_password')
  }
}

/** Somebody with the role of an administrator, and when that user is to be erased. */
export interface Administrator extends Pick<UserState, 'role' | 'status'> {
  readonly id: number
  /** Null for who has not asked to leave. */
  readonly erase_at: Instant | null
}

/** True for who may sign in and administer the shop. */
export const isAdmin = ({ role, status }: Pick<UserState, 'role' | 'status'>): boolean =>
  role === 'admin' && status === 'active'

/** Refuses with 409 to let the last of these go who may administer the shop and has not asked to leave. */
export function requireAnother(
  admins: readonly Administrator[],
  { id }: Pick<Administrator, 'id'>,
): void {
  const stays = (admin: Administrator) => isAdmin(admin) && admin.erase_at === null
  if (!admins.some((admin) => admin.id !== id && stays(admin))) {
    throw problem('4091', 'user.last_admin')
  }
}

/** True when the user is found under other keys than before. */
export const isRekeyed = (before: UserState, after: UserState): boolean =>
  before.email_key !== after.email_key || before.username_key !== after.username_key
