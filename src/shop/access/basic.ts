import type { Credential } from '#http/declare/actor.ts'
import { findAccountByLoginName } from '#shop/accounts/passwords/account-store.ts'
import { createPasswordCheck } from '#shop/accounts/passwords/check.ts'
import type { PasswordCheckParts } from '#shop/accounts/passwords/verify.ts'
import { problem } from '#values/problem.ts'
import { type Authenticator, realm, requireActor } from './authentication.ts'
import { actorOf } from './failed-sign-in.ts'
import type { NetworkParts } from './known-networks.ts'

const credential: Credential = {
  scheme: 'basic',
  id: null,
  clientId: null,
  authority: 'password',
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Basic authentication (RFC 7617) in UTF-8. Every request reads the account, so that a change of
 * password, a suspension or a removal takes effect at once.
 */
export function basic(parts: PasswordCheckParts & NetworkParts): Authenticator {
  const { knownNetworks } = parts
  const isCorrect = createPasswordCheck(parts)
  return {
    scheme: 'basic',
    challenge: () => `Basic realm="${realm}", charset="UTF-8"`,
    security: {
      basic: {
        type: 'http',
        scheme: 'basic',
        description: 'Username or email, and password, over HTTPS or a loopback address.',
      },
    },
    identify: async (db, { text, request }, now) => {
      const { name, password } = parseCredentials(text)
      const account = await findAccountByLoginName(db, name)
      const auditActor = actorOf(request, 'basic', now)
      if (!(await isCorrect(db, { name, account, auditActor }, password))) {
        throw problem('4012', 'detail.bad_login')
      }
      const actor = requireActor(account, {
        ...credential,
        provedAt: now,
        passwordHash: account?.password_hash ?? null,
      })
      if (account) knownNetworks.recordNetwork(account.id, request.ip, now)
      return { actor }
    },
  }
}

function parseCredentials(text: string): { readonly name: string; readonly password: string } {
  const pair = /^[\w+/-]+={0,2}$/.test(text) ? decodeUtf8(Buffer.from(text, 'base64')) : undefined
  const colon = pair?.indexOf(':') ?? -1
  if (pair === undefined || colon < 0) throw problem('4012', 'detail.bad_basic')
  return { name: pair.slice(0, colon), password: pair.slice(colon + 1) }
}

/** Undefined for bytes that are not UTF-8 and for control characters (RFC 7617 2). */
function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    const text = utf8.decode(bytes)
    return /\p{Cc}/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
