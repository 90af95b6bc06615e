import type { Credential } from '#http/declare/caller.ts'
import { problem } from '#values/problem.ts'
import { findAccountNamed } from './accounts.ts'
import { type Authenticator, actorOf, realm } from './authentication.ts'
import { recordFailure } from './failed-sign-in.ts'
import type { KnownNetworks } from './known-networks.ts'
import { openPasswordCheck, type PasswordCheckDependencies } from './passwords/check.ts'

const credential: Credential = {
  scheme: 'basic',
  id: null,
  clientId: null,
  authority: 'password',
}

/** What Basic is made with. */
export interface BasicOptions extends PasswordCheckDependencies {
  readonly knownNetworks: Pick<KnownNetworks, 'note'>
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Username and password with every request (RFC 7617), in UTF-8. The account is read on every request, so that a new password, a suspension or a removal
 * holds at once.
 */
export function basic(checking: BasicOptions): Authenticator {
  const isRight = openPasswordCheck(checking)
  return {
    scheme: 'basic',
    challenge: () => `Basic realm="${realm}", charset="UTF-8"`,
    security: {
      basic: {
        type: 'http',
        scheme: 'basic',
        description: 'Username, or email, and password; over HTTPS or from the same machine.',
      },
    },
    identify: async (db, { text, request }, now) => {
      const { name, password } = readPair(text)
      const account = await findAccountNamed(db, name)
      const hash = account?.password_hash ?? null
      const onWrong = () => recordFailure(db, { request, account, scheme: 'basic' }, now)
      if (!(await isRight({ address: request.ip, name, password, hash, onWrong }, now))) {
        throw problem('4012', 'detail.bad_login')
      }
      const actor = actorOf(account, credential)
      if (account) checking.knownNetworks.note(account.id, request.ip, now)
      return { actor }
    },
  }
}

function readPair(text: string): { readonly name: string; readonly password: string } {
  const pair = /^[\w+/-]+={0,2}$/.test(text) ? decode(Buffer.from(text, 'base64')) : undefined
  const colon = pair?.indexOf(':') ?? -1
  if (pair === undefined || colon < 0) throw problem('4012', 'detail.bad_basic')
  return { name: pair.slice(0, colon), password: pair.slice(colon + 1) }
}

function decode(bytes: Buffer): string | undefined {
  try {
    const text = utf8.decode(bytes)
    return /\p{Cc}/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
