import { createSecretKey, randomBytes } from 'node:crypto'
import { decodeProtectedHeader, SignJWT } from 'jose'
import { createTokenIssuer } from '#shop/access/tokens/access-tokens.ts'
import type { Scope } from '#shop/scopes.ts'
import { deriveKey } from '#src/secrets/keys.ts'
import { type TestApp, type TestRequest, testIssuer, testSecretKey } from '#test/support/app.ts'

const sampleUser = { id: 1, name: '', role: 'customer', sessionId: 1 } as const

/** The ID of the key with which test apps sign access tokens. */
async function readKeyId(): Promise<string> {
  const tokens = createTokenIssuer([testSecretKey], testIssuer)
  const { token } = await tokens.issueAccessToken(sampleUser, 0)
  return decodeProtectedHeader(token).kid ?? ''
}

/** An access token of a signed-in user with these scopes only. */
export async function scopedToken(
  { now, db }: Pick<TestApp, 'now' | 'db'>,
  { id }: { readonly id: number },
  scopes: readonly Scope[],
): Promise<string> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return new SignJWT({ scope: scopes.join(' '), sid: String(session.id) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: await readKeyId() })
    .setIssuer(testIssuer)
    .setAudience(testIssuer)
    .setSubject(String(id))
    .setExpirationTime(Math.floor(now / 1000) + 60)
    .setJti(randomBytes(16).toString('base64url'))
    .sign(createSecretKey(deriveKey(testSecretKey, 'access-token')))
}

/** A request function of a user whose access token has these scopes only. */
export async function scopedCaller(
  app: TestApp,
  user: { readonly id: number },
  scopes: readonly Scope[],
): Promise<TestRequest> {
  const authorization = `Bearer ${await scopedToken(app, user, scopes)}`
  return (method, url, body, headers) =>
    app.request(method, url, body, { ...headers, authorization })
}
