import type { KeyObject } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { JOSEError, JWTClaimValidationFailed, JWTExpired } from 'jose/errors'
import { decodeJwt } from 'jose/jwt/decode'
import { jwtVerify } from 'jose/jwt/verify'
import { type Instant, secondMs } from '#values/instant.ts'
import { problem } from '#values/problem.ts'

/** What tells the access tokens of one kind from all others. */
export interface TokenKind {
  /** The algorithm of its keys; no other is looked at, whatever a token says. */
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

// Decoders of base64url let pass what is no JWS: padding and white space (RFC 7515 2).
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Verifies an access token (RFC 7519 7.2) by signature, algorithm, type, issuer, audience and expiry,
 * without tolerance for clocks that differ. Throws 401/4013 from its `exp` on, or where it has none,
 * and 401/4012 for anything else that is not a token of this kind.
 */
export async function verifyToken(
  kind: TokenKind,
  token: string,
  now: Instant,
): Promise<VerifiedToken> {
  if (!compactForm.test(token)) throw badToken()
  try {
    const issuer = kind.issuerFor(decodeJwt(token).iss)
    const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kind, kid), {
      algorithms: [kind.algorithm],
      typ: kind.typ,
      issuer,
      audience: issuer,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    })
    // A list of audiences names others beside this server.
    if (payload.aud !== issuer) throw badToken()
    return { claims: payload, expiresAt: Number(payload.exp) * secondMs }
  } catch (error) {
    if (!(error instanceof JOSEError)) throw error
    throw isAboutExpiry(error) ? problem('4013', 'detail.expired_token') : badToken()
  }
}

/** The refusal of a token that is none of ours: 401/4012. */
export const badToken = () => problem('4012', 'detail.bad_token')

const isAboutExpiry = (error: JOSEError): boolean =>
  (error instanceof JWTExpired || error instanceof JWTClaimValidationFailed) &&
  error.claim === 'exp'

async function keyOf({ findKey }: TokenKind, kid: unknown): Promise<KeyObject> {
  const key = typeof kid === 'string' ? await findKey(kid) : undefined
  if (!key) throw badToken()
  return key
}
