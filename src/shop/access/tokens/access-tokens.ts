import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { JWTPayload } from 'jose'
import * as base64url from 'jose/base64url'
import { SignJWT } from 'jose/jwt/sign'
import type { Role } from '#http/declare/actor.ts'
import { scopesOfRole } from '#shop/scopes.ts'
import { deriveKey, type SecretKeys } from '#src/secrets/keys.ts'
import { hashSecret, makeSecret } from '#src/secrets/secrets.ts'
import { toIdentifier } from '#values/identifier.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import { invalidTokenProblem, type TokenKind, verifyToken } from './verification.ts'

const lifetimeMs = 15 * minuteMs
const kidCharacters = 16
/** Maximum number of cached tokens, at about half a kilobyte each. */
const maxCachedTokens = 2000

/** The verified claims of an access token. */
export interface AccessClaims {
  readonly userId: number
  readonly scopes: readonly string[]
  /** The session that issued it. */
  readonly sessionId: number
  /** Its `jti`. */
  readonly id: string | null
}

interface SessionHolder {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly sessionId: number
}

/** Issues and verifies the access and refresh tokens of sessions. */
export type Tokens = ReturnType<typeof createTokenIssuer>

/**
 * Issues and verifies the server's own tokens. Access tokens are JWTs (RFC 7519) signed with
 * HMAC-SHA256, with `issuer` as issuer and audience, valid for 15 minutes; their `kid` names the
 * secret that signed them. Refresh tokens are 256 random bits, of which only the hash is stored.
 */
export function createTokenIssuer(secretKeys: SecretKeys, issuer: string) {
  const signers = secretKeys.map(createSigner)
  const [{ header, key }] = signers as [Signer]
  return {
    /** Signs an access token with all scopes of the role; its claims are readable by the client. */
    issueAccessToken: async ({ id, name, role, sessionId }: SessionHolder, now: Instant) => {
      const issuedAt = Math.floor(now / secondMs)
      const expiresInSeconds = lifetimeMs / secondMs
      const token = await new SignJWT({
        name,
        admin: role === 'admin',
        scope: scopesOfRole(role).join(' '),
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
    /** True when the header is one of this server's; such tokens are verified with HS256 only. */
    isOwn: (token: string): boolean =>
      signers.some(({ encodedHeader }) => token.startsWith(encodedHeader)),
    /**
     * Returns the claims of a token. Throws 4012 when it is not of this server, 4013 when it has
     * expired.
     */
    verify: createVerifier({
      algorithm: header.alg,
      typ: header.typ,
      findKey: (kid) => signers.find((signer) => signer.header.kid === kid)?.key,
      issuerFor: (claimed) => (isSameServer(claimed, issuer) ? claimed : issuer),
    }),
    /** Makes a refresh token and the hash to store. */
    createRefreshToken: () => {
      const secret = makeSecret()
      return { secret, hash: hashSecret(secret) }
    },
    hashRefreshToken: hashSecret,
  }
}

/** A signing key and the header of its tokens. */
interface Signer {
  readonly key: KeyObject
  readonly header: { readonly alg: 'HS256'; readonly typ: 'JWT'; readonly kid: string }
  /** The encoded header, with which all its tokens start. */
  readonly encodedHeader: string
}

function createSigner(secretKey: string): Signer {
  const kid = deriveKey(secretKey, 'access-token-name')
    .toString('base64url')
    .slice(0, kidCharacters)
  const header = { alg: 'HS256', typ: 'JWT', kid } as const
  const encodedHeader = `${base64url.encode(JSON.stringify(header))}.`
  return { key: createSecretKey(deriveKey(secretKey, 'access-token')), header, encodedHeader }
}

/** Verifies tokens of this kind and caches the claims until the token expires. */
function createVerifier(kind: TokenKind) {
  const cache = createTokenCache()
  return async (token: string, now: Instant): Promise<AccessClaims> => {
    const cached = cache.find(token, now)
    if (cached) return cached
    const { claims, expiresAt } = await verifyToken(kind, token, now)
    const read = readClaims(claims)
    cache.add(token, { claims: read, expiresAt })
    return read
  }
}

/** The claims of a verified token, valid until it expires. */
interface CachedToken {
  readonly claims: AccessClaims
  readonly expiresAt: Instant
}

/** Caches up to `maxCachedTokens` tokens; the oldest is removed first. */
function createTokenCache() {
  const tokens = new Map<string, CachedToken>()
  return {
    find: (token: string, now: Instant): AccessClaims | undefined => {
      const found = tokens.get(token)
      return found && now < found.expiresAt ? found.claims : undefined
    },
    add: (token: string, found: CachedToken): void => {
      // A Map iterates in order of insertion.
      const [oldest] = tokens.keys()
      if (tokens.size >= maxCachedTokens && oldest !== undefined) tokens.delete(oldest)
      tokens.set(token, found)
    },
  }
}

function readClaims({ sub = '', scope, sid, jti }: JWTPayload): AccessClaims {
  const userId = toIdentifier(sub)
  const sessionId = toIdentifier(String(sid))
  if (userId === undefined || sessionId === undefined) throw invalidTokenProblem()
  return { userId, sessionId, scopes: String(scope ?? '').split(' '), id: jti ?? null }
}

/**
 * True for the issuer itself. Ports of `localhost` are not compared: without BASE_URL, the processes
 * of one shop have issuers that differ by port.
 */
function isSameServer(claimed: string | undefined, issuer: string): claimed is string {
  if (claimed === undefined || claimed === issuer) return claimed === issuer
  return [claimed, issuer].every((address) => URL.parse(address)?.hostname === 'localhost')
}
