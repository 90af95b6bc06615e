import { createHash } from 'node:crypto'
import { type TestApp, type TestResponse, testPassword } from '#test/support/app.ts'

/** The parameters of a Digest authorization; the optional ones have defaults. */
export interface DigestProof {
  readonly username: string
  readonly nonce: string
  readonly nc?: string
  readonly uri?: string
  readonly password?: string
  readonly algorithm?: 'MD5' | 'SHA-256'
  readonly opaque?: string
}

type Requester = Pick<TestApp, 'request'>

const challengeParameter = async (
  { request }: Requester,
  name: 'nonce' | 'opaque',
): Promise<string> => {
  const { headers } = await request('GET', '/profile')
  const challenge = headers['www-authenticate'] ?? ''
  return new RegExp(`${name}="([^"]+)"`).exec(challenge)?.[1] ?? ''
}

/** Requests a challenge and returns its nonce. */
export const requestDigestNonce = (app: Requester): Promise<string> =>
  challengeParameter(app, 'nonce')
/** Requests a challenge and returns its `opaque` value. */
export const requestDigestOpaque = (app: Requester): Promise<string> =>
  challengeParameter(app, 'opaque')

/** The Authorization field of a GET (RFC 7616 section 3.4). */
export function digestAuthorization(proof: DigestProof): string {
  const { username, nonce, nc = '00000001', uri = '/profile', algorithm = 'SHA-256' } = proof
  const hash = (text: string) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const first = hash(`${username}:cartwright:${proof.password ?? testPassword}`)
  const response = hash([first, nonce, nc, 'mine', 'auth', hash(`GET:${uri}`)].join(':'))
  const opaque = proof.opaque === undefined ? '' : `, opaque="${proof.opaque}"`
  return (
    `Digest username="${username}", realm="cartwright", nonce="${nonce}", uri="${uri}", ` +
    `algorithm=${algorithm}, qop=auth, nc=${nc}, cnonce="mine", response="${response}"${opaque}`
  )
}

/** Sends a GET with Digest credentials. */
export const requestWithDigest = (
  app: Requester,
  proof: DigestProof,
  url = proof.uri ?? '/profile',
): Promise<TestResponse> =>
  app.request('GET', url, undefined, { authorization: digestAuthorization(proof) })
