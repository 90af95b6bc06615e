import { randomUUID } from 'node:crypto'
import type { Context } from '#kernel/context.ts'
import { findAccountNamed } from '#store/accounts.ts'
import { recordEvent } from '#store/audit.ts'
import { refusal } from '#values/refusal.ts'
import type { Digests, Passwords, Tokens } from '../parts.ts'
import { isReuse, type Proof, requireActive } from './rules.ts'
import * as store from './store.ts'

/** What signing in is made with. */
export interface Doorkeeper {
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly digests: Digests
}

/** A session as it begins or goes on; the tokens are known to nobody else. */
export interface Begun {
  readonly token: string
  readonly expiresInSeconds: number
  readonly refreshToken: string
}

/**
 * Signs in by password. The password is looked at outside any transaction, and the account once
 * more inside one, so that no session begins with a password that has just been replaced.
 */
export async function signIn(
  { passwords, tokens, digests }: Doorkeeper,
  ctx: Context,
  { username, password }: Extract<Proof, { kind: 'password' }>,
): Promise<Begun> {
  const { db, transaction, now } = ctx
  const witness = { ...ctx.witness(), credential: 'password' } as const
  const found = await findAccountNamed(db, username)
  const isRight = await passwords.matches(password, found?.password_hash ?? null)
  if (!found || !isRight) {
    // The same work whether or not there is somebody of that name. The name itself is not kept:
    // where nobody has it, it may well be a password.
    const subjectId = found?.id ?? null
    await recordEvent(db, witness, { action: 'sign_in_failed', subjectId })
    throw refusal('4012', 'detail.bad_login')
  }
  const refresh = tokens.makeRefresh()
  const account = await transaction(async (held) => {
    const current = await store.holdAccount(held, found.id)
    if (current?.password_hash !== found.password_hash) {
      throw refusal('4012', 'detail.bad_login')
    }
    requireActive(current)
    const { username: own } = current
    if (own !== null && !digests.isLasting(current.digest_secret, own)) {
      await store.keepDigest(held, current.id, digests.make(own, password))
    }
    const token = { hash: refresh.hash, family: randomUUID(), userId: current.id }
    await store.keepToken(held, token, now)
    const { id } = current
    await recordEvent(held, { ...witness, actorId: id }, { action: 'signed_in', subjectId: id })
    return current
  })
  return { ...(await tokens.issueAccess(account, now)), refreshToken: refresh.secret }
}

/**
 * Renews a session. Its refresh token dies and another takes its place; one that is sent a second
 * time has been stolen, from whichever of the two, so that the whole session ends.
 */
export async function renew({ tokens }: Doorkeeper, ctx: Context, secret: string): Promise<Begun> {
  const { transaction, now } = ctx
  const hash = tokens.hashRefresh(secret)
  const next = tokens.makeRefresh()
  // What the reuse ends has to stay ended, so it is refused after the transaction, not by it.
  const account = await transaction(async (db) => {
    const holder = await store.holdAccountOf(db, hash)
    if (!holder) return undefined
    requireActive(holder)
    const { family, id } = holder
    if (await store.spendToken(db, hash, now)) {
      await store.keepToken(db, { hash: next.hash, family, userId: id }, now)
      return holder
    }
    if (isReuse(holder, now)) {
      await store.endSession(db, family)
      const witness = { ...ctx.witness(), credential: 'refresh_token' } as const
      await recordEvent(db, witness, { action: 'refresh_token_reused', subjectId: id })
    }
    return undefined
  })
  if (!account) throw refusal('4012', 'detail.bad_refresh_token')
  return { ...(await tokens.issueAccess(account, now)), refreshToken: next.secret }
}
