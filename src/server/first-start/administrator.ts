import type { DigestSecrets } from '#shop/access/digest/secrets.ts'
import { findAccountByLoginName } from '#shop/accounts/passwords/account-store.ts'
import type { Passwords } from '#shop/accounts/passwords/hash.ts'
import { recoverUser } from '#shop/accounts/users/actions.ts'
import { userEvent } from '#shop/accounts/users/events.ts'
import {
  createUserState,
  isAddress,
  type PreparedPassword,
  patchUserState,
} from '#shop/accounts/users/rules.ts'
import { findUser, insertUser, lockUser } from '#shop/accounts/users/store.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { endAddressChanges } from '#shop/messages/mails/former-address-store.ts'
import { recoveries } from '#src/server/recoveries.ts'
import { StartError } from '#src/server/start-error.ts'
import type { Db, Store } from '#store/database.ts'
import { withRetries } from '#store/stale-write.ts'
import { accountKey } from '#values/account-key.ts'
import { serverActor } from '#values/audit.ts'
import type { Instant } from '#values/instant.ts'
import type { AdminCredentials } from './first-admin.ts'

type PasswordHashing = Pick<Passwords, 'hash'> & Pick<DigestSecrets, 'make'>

/** Who is to be an administrator. */
interface AdministratorRequest extends AdminCredentials {
  /** Whether a user without the role may get it. */
  readonly promotes: boolean
}

/** What became of a user. */
export interface SetAdministrator {
  readonly isNew: boolean
  /** True if the account had an address, which a thief may have given. */
  readonly hasLostAddress: boolean
}

/**
 * Creates an administrator, or makes the user with this username or email an active administrator
 * with a new password, which ends all that somebody else may have made as that user. The account keeps its
 * address only if `username` is it: by another one, somebody else could reset the password. Audit events are
 * recorded in the same transaction. Throws a StartError for a user without the role unless `promotes`, and a
 * Problem when the username is taken concurrently.
 */
export async function setAdministrator(
  store: Pick<Store, 'transaction'>,
  { hash, make }: PasswordHashing,
  { username, password, promotes }: AdministratorRequest,
  now: Instant,
): Promise<SetAdministrator> {
  const prepared: PreparedPassword = {
    hash: await hash(password),
    createDigestSecret: (name) => make(name, password),
    requireUnlike: () => {},
  }
  const auditActor = () => ({ ...serverActor(now), credential: 'command' })
  return withRetries(store)(async (db) => {
    const ctx = { db, now, auditActor }
    const found = await findUserByLoginName(db, username)
    // No write of the account is in progress once it is locked.
    if (found) await lockUser(db, found.id)
    const existing = found && (await findUser(db, found.id))
    if (!existing) {
      await createAdministrator(ctx, username, prepared)
      return { isNew: true, hasLostAddress: false }
    }
    if (existing.role !== 'admin' && !promotes) {
      throw new StartError(`${username} is no administrator: --promote makes this user one`)
    }
    const keepsAddress = existing.email_key === accountKey(username)
    const patch = { ...privileges, ...(!keepsAddress && { email: null }) }
    await recoverUser(ctx, recoveries, existing, patchUserState(existing, patch, prepared))
    await endAddressChanges(db, existing.id)
    return { isNew: false, hasLostAddress: !keepsAddress && existing.email !== null }
  })
}

const privileges = { role: 'admin', status: 'active' } as const

async function createAdministrator(
  { db, now, auditActor }: Parameters<typeof recoverUser>[0],
  username: string,
  prepared: PreparedPassword,
): Promise<void> {
  const names = { name: username, username, email: isAddress(username) ? username : null }
  const state = createUserState({ ...names, ...privileges }, prepared)
  const user = await insertUser(db, state, now)
  const details = { to: state.role }
  await recordAuditEvent(db, auditActor(), {
    action: 'administrator_created',
    subjectId: user.id,
    details,
  })
  await recordEvents(db, [userEvent('user.created', user, now)])
}

/** Returns the user with this username or email, or undefined. */
export async function findUserByLoginName(db: Db, name: string) {
  const account = await findAccountByLoginName(db, name)
  return account && (await findUser(db, account.id))
}
