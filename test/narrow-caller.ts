import { createSecretKey, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { deriveKey } from '#identity/keys.ts'
import type { Scope } from '#kernel/actor.ts'
import { type TestApp, type TestRequest, testSecretKey } from './app.ts'

/** Calls as a user whose access token was granted these scopes alone. */
export async function narrowCaller(
  { now, request }: TestApp,
  { id }: { readonly id: number },
  scopes: readonly Scope[],
): Promise<TestRequest> {
  const seconds = Math.floor(now / 1000)
  const token = await new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(id))
    .setExpirationTime(seconds + 60)
    .setJti(randomBytes(16).toString('base64url'))
    .sign(createSecretKey(deriveKey(testSecretKey, 'access-token')))
  const authorization = `Bearer ${token}`
  return (method, url, body, headers) => request(method, url, body, { ...headers, authorization })
}
