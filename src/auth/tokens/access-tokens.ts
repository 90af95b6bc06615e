import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { JWTPayload } from 'jose'
import * as base64url from 'jose/base64url'
import { SignJWT } from 'jose/jwt/sign'
import { deriveKey, type SecretKeys } from '#auth/keys.ts'
import { scopesOf } from '#auth/scopes.ts'
import type { Role } from '#http/declare/actor.ts'
import { toIdentifier } from '#values/identifier.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import { badToken, type TokenKind, verifyToken } from './verification.ts'

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
    isOwn: (token: string): boolean => signers.some(({ start }) => token.startsWith(start)),
    /**
     * What a token claims; refused with 4012 when it is not ours or is for another server, with 4013
     * from its `exp` on.
     */
    verify: openVerification({
      algorithm: header.alg,
      typ: header.typ,
      findKey: (kid) => signers.find((signer) => signer.header.kid === kid)?.key,
      issuerFor: (claimed) => (isSameServer(claimed, issuer) ? claimed : issuer),
    }),
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

/**
 * Verifies tokens of this kind. One that was verified a short time ago is not verified again: until
 * it expires, the outcome cannot change.
 */
function openVerification(kind: TokenKind) {
  const memory = openMemory()
  return async (token: string, now: Instant): Promise<AccessClaims> => {
    const known = memory.find(token, now)
    if (known) return known
    const { claims, expiresAt } = await verifyToken(kind, token, now)
    const read = readClaims(claims)
    memory.add(token, { claims: read, expiresAt })
    return read
  }
}

/** What a token claims whose signature is right, until it expires. */
interface Remembered {
  readonly claims: AccessClaims
  readonly expiresAt: Instant
}

/** Remembers so many tokens, the oldest making room for the next. */
function openMemory() {
  const known = new Map<string, Remembered>()
  return {
    find: (token: string, now: Instant): AccessClaims | undefined => {
      const found = known.get(token)
      return found && now < found.expiresAt ? found.claims : undefined
    },
    add: (token: string, found: Remembered): void => {
      // A map keeps the order of its entries.
      const [oldest] = known.keys()
      if (known.size >= maxRemembered && oldest !== undefined) known.delete(oldest)
      known.set(token, found)
    },
  }
}

function readClaims({ sub = '', scope, sid, jti }: JWTPayload): AccessClaims {
  const userId = toIdentifier(sub)
  const sessionId = toIdentifier(String(sid))
  if (userId === undefined || sessionId === undefined) throw badToken()
  return { userId, sessionId, scopes: String(scope ?? '').split(' '), id: jti ?? null }
}

/**
 * True for the issuer itself. Of servers on `localhost` the port is not compared: without BASE_URL,
 * several processes of one shop know themselves by their ports alone.
 */
function isSameServer(claimed: string | undefined, issuer: string): claimed is string {
  if (claimed === undefined || claimed === issuer) return claimed === issuer
  return [claimed, issuer].every((address) => URL.parse(address)?.hostname === 'localhost')
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
