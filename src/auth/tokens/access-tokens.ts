import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import * as base64url from 'jose/base64url'
import { decodeJwt } from 'jose/jwt/decode'
import { SignJWT } from 'jose/jwt/sign'
import { deriveKey, type SecretKeys } from '#auth/keys.ts'
import { type Role, scopesOf } from '#http/declare/caller.ts'
import { toIdentifier } from '#values/identifier.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'

const lifetimeMs = 15 * minuteMs
const kidCharacters = 16
/** How many tokens are remembered, at about half a kilobyte each. */
const maxRemembered = 2000

/** Whom an access token names, and the acts it was granted. */
export interface AccessClaims {
  readonly userId: number
  readonly scopes: readonly string[]
  /** The sign-in that it comes from. */
  readonly sessionId: number
  /** Which token it is. */
  readonly id: string | null
}

interface Holder {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly sessionId: number
}

/**
 * The server's own tokens: access tokens are JWTs (RFC 7519) signed by HMAC-SHA256, by `issuer` for
 * `issuer`, and good for 15 minutes; refresh tokens are 256 random bits, of which only the hash is
 * kept. The `kid` of a token tells which of the secrets signed it.
 */
export function openTokens(secretKeys: SecretKeys, issuer: string) {
  const signers = secretKeys.map(signerUnder)
  const [{ header, key }] = signers as [Signer]
  const verified = openVerified()
  const signerOf = (token: string) => signers.find(({ start }) => token.startsWith(start))
  return {
    /** Signs an access token with every scope of the role; it carries no secret. */
    issueAccess: async ({ id, name, role, sessionId }: Holder, now: Instant) => {
      const issuedAt = Math.floor(now / secondMs)
      const expiresInSeconds = lifetimeMs / secondMs
      const token = await new SignJWT({
        name,
        admin: role === 'admin',
        scope: scopesOf(role).join(' '),
        sid: String(sessionId),
      })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(String(id))
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresInSeconds)
        .setJti(randomBytes(16).toString('base64url'))
        .sign(key)
      return { token, expiresInSeconds }
    },
    /** True for what claims to be signed by us; no other algorithm is ever looked at then. */
    isOwn: (token: string): boolean => signerOf(token) !== undefined,
    /**
     * What a token claims; refused with 4012 when it is not ours or is for another server, with 4013
     * from its `exp` on. The signature of one that was verified a short time ago is not computed again: it cannot have changed.
     */
    verify: (token: string, now: Instant): AccessClaims => {
      const known = verified.find(token) ?? verified.add(readClaims(token, signerOf(token), issuer))
      if (known.expiresAt <= now) throw problem('4013', 'detail.expired_token')
      return known.claims
    },
    /** A new refresh token, and the hash to keep it under. */
    makeRefresh: () => {
      const secret = randomBytes(32).toString('base64url')
      return { secret, hash: hashOf(secret) }
    },
    /** The hash under which a refresh token is kept; the token is too random to be guessed by it. */
    hashRefresh: hashOf,
  }
}

/** A key that signs tokens, and the one header by which they say so. */
interface Signer {
  readonly key: KeyObject
  readonly header: { readonly alg: 'HS256'; readonly typ: 'JWT'; readonly kid: string }
  /** How every token that it signs begins. */
  readonly start: string
}

function signerUnder(secretKey: string): Signer {
  const kid = deriveKey(secretKey, 'access-token-name')
    .toString('base64url')
    .slice(0, kidCharacters)
  const header = { alg: 'HS256', typ: 'JWT', kid } as const
  const start = `${base64url.encode(JSON.stringify(header))}.`
  return { key: createSecretKey(deriveKey(secretKey, 'access-token')), header, start }
}

/** What was found in a token whose signature is right. */
interface Verified {
  readonly token: string
  readonly claims: AccessClaims
  readonly expiresAt: Instant
}

/** Remembers so many tokens, the oldest making room for the next. */
function openVerified() {
  const known = new Map<string, Verified>()
  return {
    find: (token: string): Verified | undefined => known.get(token),
    add: (read: Verified): Verified => {
      // A map keeps the order of its entries.
      const [oldest] = known.keys()
      if (known.size >= maxRemembered && oldest !== undefined) known.delete(oldest)
      known.set(read.token, read)
      return read
    },
  }
}

function readClaims(token: string, signer: Signer | undefined, issuer: string): Verified {
  requireSignature(token, signer)
  const { iss, aud, sub = '', scope, sid, exp = 0, jti = null } = decodeJwt(token)
  if (!isSameServer(iss, issuer) || aud !== iss) throw problem('4012', 'detail.bad_token')
  const userId = toIdentifier(sub)
  const sessionId = toIdentifier(String(sid))
  if (userId === undefined || sessionId === undefined) throw problem('4012', 'detail.bad_token')
  const claims = { userId, sessionId, scopes: String(scope ?? '').split(' '), id: jti }
  return { token, claims, expiresAt: exp * secondMs }
}

/**
 * True for the issuer itself. Of servers on `localhost` the port is not compared: without BASE_URL,
 * several processes of one shop know themselves by their ports alone.
 */
function isSameServer(claimed: string | undefined, issuer: string): boolean {
  if (claimed === undefined || claimed === issuer) return claimed === issuer
  return [claimed, issuer].every((address) => URL.parse(address)?.hostname === 'localhost')
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/**
 * Holds the third part of a token to the first two (RFC 7515 5.2). The check runs in place rather
 * than through WebCrypto, whose jobs wait in the thread pool behind every password being hashed.
 */
function requireSignature(token: string, signer: Signer | undefined): void {
  // The header is ours to choose, so there is one for each key: no other algorithm is ever looked at.
  if (!signer) throw problem('4012', 'detail.bad_token')
  const at = token.lastIndexOf('.')
  const expected = Buffer.from(
    createHmac('sha256', signer.key)
      .update(token.slice(0, Math.max(at, 0)))
      .digest('base64url'),
  )
  const sent = Buffer.from(token.slice(at + 1))
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw problem('4012', 'detail.bad_token')
  }
}
