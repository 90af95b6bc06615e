import { type AccessTokenParts, verifyOauthToken } from '#shop/access/oauth/access-token.ts'
import type { Instant } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'

/** An ID that no access token has. */
export const unknownTokenId = 'unknown'

/**
 * Returns the ID of a valid access token, and `unknownTokenId` for a text that is none. Throws the
 * problems of a token that cannot be verified now.
 */
export async function tokenId(
  parts: AccessTokenParts,
  token: string,
  now: Instant,
): Promise<string> {
  try {
    return (await verifyOauthToken(parts, token, now)).jti
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return unknownTokenId
    throw error
  }
}
