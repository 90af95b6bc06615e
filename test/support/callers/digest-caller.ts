import { createHash } from 'node:crypto'
import { type TestApp, type TestResponse, testPassword } from '#test/support/app.ts'

/** What is proved by Digest, and how, other than usual where told so. */
export interface DigestProof {
  readonly username: string
  readonly nonce: string
  readonly nc?: string
  readonly uri?: string
  readonly password?: string
  readonly algorithm?: 'MD5' | 'SHA-256'
  readonly opaque?: string
}

type Asked = Pick<TestApp, 'request'>

const fieldOf = async ({ request }: Asked, name: 'nonce' | 'opaque'): Promise<string> => {
  const { headers } = await request('GET', '/profile')
  const asked = headers['www-authenticate'] ?? ''
  return new RegExp(`${name}="([^"]+)"`).exec(asked)?.[1] ?? ''
}

/** A nonce of a challenge that this application gives. */
export const digestNonce = (app: Asked): Promise<string> => fieldOf(app, 'nonce')
/** What goes with its nonces. */
export const digestOpaque = (app: Asked): Promise<string> => fieldOf(app, 'opaque')

/** The field Authorization by which a client proves a password for a GET (RFC 7616 3.4). */
function digestAuthorization(proof: DigestProof): string {
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

/** Asks by Digest. */
export const askByDigest = (
  app: Asked,
  proof: DigestProof,
  url = proof.uri ?? '/profile',
): Promise<TestResponse> =>
  app.request('GET', url, undefined, { authorization: digestAuthorization(proof) })
