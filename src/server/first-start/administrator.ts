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
import { findUser, insertUser } from '#shop/accounts/users/store.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import { recoveries } from '#src/server/recoveries.ts'
import type { Db, Store } from '#store/database.ts'
import { withRetries } from '#store/stale-write.ts'
import { serverActor } from '#values/audit.ts'
import type { Instant } from '#values/instant.ts'
import type { AdminCredentials } from './first-admin.ts'

type PasswordHashing = Pick<Passwords, 'hash'> & Pick<DigestSecrets, 'make'>

/**
 * Creates an administrator, or makes the user with this username or email an active administrator
 * with a new password, which ends all that somebody else may have made as that user. Returns true when the user is
 * new. Audit events are recorded in the same transaction. Throws a Problem when the username is taken
 * concurrently.
 */
export async function setAdministrator(
  store: Pick<Store, 'transaction'>,
  { hash, make }: PasswordHashing,
  { username, password }: AdminCredentials,
  now: Instant,
): Promise<boolean> {
  const privileges = { role: 'admin', status: 'active' } as const
  const prepared: PreparedPassword = {
    hash: await hash(password),
    createDigestSecret: (name) => make(name, password),
    requireUnlike: () => {},
  }
  const auditActor = () => ({ ...serverActor(now), credential: 'command' })
  return withRetries(store)(async (db) => {
    const existing = await findUserByLoginName(db, username)
    if (existing) {
      const state = patchUserState(existing, privileges, prepared)
      await recoverUser({ db, now, auditActor }, recoveries, existing, state)
      return false
    }
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
    return true
  })
}

/** Returns the user with this username or email, or undefined. */
export async function findUserByLoginName(db: Db, name: string) {
  const account = await findAccountByLoginName(db, name)
  return account && (await findUser(db, account.id))
}
