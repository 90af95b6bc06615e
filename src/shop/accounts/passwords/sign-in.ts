import type { Budget } from '#http/rate-limit/login-throttle.ts'
import type { Db } from '#store/database.ts'
import type { AuditActor } from '#values/audit.ts'
import { findAccountByLoginName, type LoginAccount } from './account-store.ts'
import { type PasswordCheckParts, verifyPassword } from './verify.ts'

/** A sign-in with a password; `name` is a username or an email. */
export interface PasswordSignIn {
  readonly name: string
  readonly password: string
  readonly auditActor: AuditActor
  /** True if the route counts attempts per pair of network and name itself. */
  readonly isNameCounted?: boolean
}

const withoutPair: readonly Budget[] = ['network', 'account']

/**
 * Returns the account that a name and a password identify, suspended ones included, removed ones
 * not. Without one, returns undefined and records the failed sign-in. Throws 429/4291 after too many
 * failures.
 */
export async function findAccountByPassword(
  db: Db,
  parts: PasswordCheckParts,
  { name, password, auditActor, isNameCounted = false }: PasswordSignIn,
): Promise<LoginAccount | undefined> {
  const account = await findAccountByLoginName(db, name)
  const claim = {
    ...{ name, account, auditActor },
    ...(isNameCounted && account === undefined ? { budgets: withoutPair } : {}),
  }
  return (await verifyPassword(db, parts, claim, password)) ? account : undefined
}
