import { findAccountNamed } from '#auth/accounts.ts'
import type { Db, Store } from '#db/database.ts'
import { retrying } from '#db/stale-write.ts'
import { anonymous } from '#http/declare/caller.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import type { Digests, Passwords } from '#resources/dependencies.ts'
import { saveUser } from '#resources/users/actions.ts'
import { describeUser, reviseUser } from '#resources/users/rules.ts'
import { findUser, insertUser } from '#resources/users/store.ts'
import { serverAt } from '#values/audit-actor.ts'
import type { Instant } from '#values/instant.ts'

/** A name and a password that were given by whoever runs a command. */
export interface AdminCredentialsInput {
  readonly username: string
  readonly password: string
}

/** How passwords are kept. */
type PasswordOptions = Pick<Passwords, 'hash'> & Pick<Digests, 'make'>

/**
 * Makes an administrator, or makes the user of this username or email an active one with a new
 * password, which ends all sessions and tokens of that user; true for a user who is new. What is
 * done is written to the audit trail in the same transaction. Throws the Refusal of a username that
 * somebody else took at the same moment.
 */
export async function setAdministrator(
  store: Pick<Store, 'transaction'>,
  { hash, make }: PasswordOptions,
  { username, password }: AdminCredentialsInput,
  now: Instant,
): Promise<boolean> {
  const privileges = { role: 'admin', status: 'active' } as const
  const digestFor = (name: string) => make(name, password)
  const patch = { ...privileges, password: await hash(password), digestFor }
  const auditActor = () => ({ ...serverAt(now), credential: 'command' })
  return retrying(store)(async (db) => {
    const known = await findNamed(db, username)
    if (known) {
      await saveUser({ db, now, actor: anonymous, auditActor }, known, reviseUser(known, patch))
      return false
    }
    const state = describeUser({ name: username, username, ...patch })
    const { id } = await insertUser(db, state, now)
    const details = { to: state.role }
    await recordEvent(db, auditActor(), { action: 'administrator_created', subjectId: id, details })
    return true
  })
}

/** The user of a username or email, if there is one. */
export async function findNamed(db: Db, name: string) {
  const account = await findAccountNamed(db, name)
  return account && (await findUser(db, account.id))
}
