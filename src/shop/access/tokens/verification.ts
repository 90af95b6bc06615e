import type { KeyObject } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { JOSEError, JWTClaimValidationFailed, JWTExpired } from 'jose/errors'
import { decodeJwt } from 'jose/jwt/decode'
import { jwtVerify } from 'jose/jwt/verify'
import { type Instant, secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'

/** How access tokens of one kind are verified. */
export interface TokenKind {
  /** The only accepted algorithm, whatever the header of a token says. */
  readonly algorithm: 'HS256' | 'RS256'
  /** The `typ` of its header (RFC 7515 4.1.9). */
  readonly typ: 'JWT' | 'at+jwt'
  /** The key with this `kid`; undefined where the server has none. */
  readonly findKey: (kid: string) => KeyObject | undefined | Promise<KeyObject | undefined>
  /** The issuer and audience required of a token that claims to be issued by `claimed`. */
  readonly issuerFor: (claimed: string | undefined) => string
}

/** The claims of a verified token, and when it expires. */
export interface VerifiedToken {
  readonly claims: JWTPayload
  readonly expiresAt: Instant
}

// Base64url decoders accept padding and white space, which a JWS may not contain (RFC 7515 2).
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Verifies signature, algorithm, type, issuer, audience and expiry of an access token (RFC 7519 7.2),
 * without clock tolerance. Throws 401/4013 when it has expired or has no `exp`, and 401/4012 when it
 * is not a valid token of this kind.
 */
export async function verifyToken(
  kind: TokenKind,
  token: string,
  now: Instant,
): Promise<VerifiedToken> {
  if (!compactForm.test(token)) throw invalidTokenProblem()
  try {
    const issuer = kind.issuerFor(decodeJwt(token).iss)
    const { payload } = await jwtVerify(token, ({ kid }) => requireKey(kind, kid), {
      algorithms: [kind.algorithm],
      typ: kind.typ,
      issuer,
      audience: issuer,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    })
    // A list of audiences would include other servers.
    if (payload.aud !== issuer) throw invalidTokenProblem()
    return { claims: payload, expiresAt: Number(payload.exp) * secondMs }
  } catch (error) {
    if (!(error instanceof JOSEError)) throw error
    throw isExpiryError(error) ? problem('4013', 'detail.expired_token') : invalidTokenProblem()
  }
}

/** The problem for an invalid token: 401/4012. */
export const invalidTokenProblem = () => problem('4012', 'detail.bad_token')

const isExpiryError = (error: JOSEError): boolean =>
  (error instanceof JWTExpired || error instanceof JWTClaimValidationFailed) &&
  error.claim === 'exp'

async function requireKey({ findKey }: TokenKind, kid: unknown): Promise<KeyObject> {
  const key = typeof kid === 'string' ? await findKey(kid) : undefined
  if (!key) throw invalidTokenProblem()
  return key
}
