import { timingSafeEqual } from 'node:crypto'
import type { Credential } from '#http/declare/actor.ts'
import type { CredentialRequest } from '#http/declare/authentication.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { type Authenticator, realm, requireActor } from '#shop/access/authentication.ts'
import { actorOf } from '#shop/access/failed-sign-in.ts'
import type { NetworkParts } from '#shop/access/known-networks.ts'
import { spendNonce } from '#shop/access/store.ts'
import {
  findAccountByLoginName,
  type LoginAccount,
} from '#shop/accounts/passwords/account-store.ts'
import { startMinimumDuration } from '#shop/accounts/passwords/minimum-duration.ts'
import { verifyProof } from '#shop/accounts/passwords/verify.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { type Problem, problem } from '#values/problem.ts'
import { parseAuthParams, usernameOf } from './auth-params.ts'
import type { createNonces } from './nonces.ts'
import { type DigestAlgorithm, type DigestSecret, type DigestSecrets, digestOf } from './secrets.ts'

/** What the Digest mechanism is made with. */
export interface DigestParts extends NetworkParts {
  readonly nonces: ReturnType<typeof createNonces>
  readonly digests: DigestSecrets
  readonly loginThrottle: LoginThrottle
}

/** The parameters of a Digest credential (RFC 7616 3.4). */
interface DigestCredential {
  readonly username: string
  readonly nonce: string
  readonly uri: string
  readonly response: string
  readonly nc: string
  readonly cnonce: string
  readonly algorithm: DigestAlgorithm
}

const actorCredential: Credential = {
  scheme: 'digest',
  id: null,
  clientId: null,
  authority: 'password',
}

/**
 * Digest authentication (RFC 7616) in SHA-256 and, when offered, MD5, with `qop=auth`. The database
 * keeps the highest count of each nonce, so that no process accepts a count twice.
 */
export function digest({
  nonces,
  digests,
  loginThrottle,
  knownNetworks,
}: DigestParts): Authenticator {
  const verify = verifierOf(digests)
  const { algorithms } = digests
  return {
    scheme: 'digest',
    challenge: challengeOf(nonces, algorithms),
    security: {
      digest: {
        type: 'http',
        scheme: 'digest',
        description: `Username and password by RFC 7616, in ${algorithms.join(' or ')}, with \`qop=auth\`.`,
      },
    },
    identify: async (db, { text, request }, now) => {
      const credential = parseCredential(text, request, { nonces, algorithms })
      const nonce = credential && nonces.verify(credential.nonce, now)
      if (!credential || !nonce) throw problem('4012', 'detail.bad_digest')
      const proof = { credential, request, verify }
      const { account, secret } = await requireProof(db, loginThrottle, proof, now)
      const actor = requireActor(account, {
        ...actorCredential,
        provedAt: now,
        passwordHash: account.password_hash,
      })
      knownNetworks.recordNetwork(account.id, request.ip, now)
      if (!nonce.isFresh) throw problem('4013', 'detail.stale_nonce')
      const use = {
        nonce: credential.nonce,
        count: Number.parseInt(credential.nc, 16),
        expiresAt: nonce.expiresAt,
      }
      if (!(await spendNonce(db, use))) throw problem('4012', 'detail.replayed_nonce')
      const nextNonce = nonce.isAging ? `, nextnonce="${nonces.create(now)}"` : ''
      return { actor, info: authenticationInfo(credential, secret) + nextNonce }
    },
    confirm: async (db, { text, request }) => {
      const credential = parseCredential(text, request, { nonces, algorithms })
      const account = credential && (await findAccountByLoginName(db, credential.username))
      if (!credential || !verify(credential, account, request.method)) {
        throw problem('4012', 'detail.bad_proof')
      }
      return { actor: requireActor(account, actorCredential) }
    },
  }
}

/** A credential, and how to verify it. */
interface Proof {
  readonly credential: DigestCredential
  readonly request: CredentialRequest
  readonly verify: ReturnType<typeof verifierOf>
}

/**
 * Returns the account that a credential proves, and its secret. Throws 401/4012 for a wrong proof,
 * and 429/4291 after too many.
 */
async function requireProof(
  db: Db,
  loginThrottle: LoginThrottle,
  { credential, request, verify }: Proof,
  now: Instant,
): Promise<{ readonly account: LoginAccount; readonly secret: DigestSecret }> {
  const time = startMinimumDuration()
  const account = await findAccountByLoginName(db, credential.username)
  const secret = verify(credential, account, request.method)
  const auditActor = actorOf(request, 'digest', now)
  const claim = { name: credential.username, account, auditActor }
  const isProven = await verifyProof(db, { loginThrottle }, claim, async () => secret !== undefined)
  if (!isProven || !account || !secret) {
    await time.wait()
    // The same for an unknown username, so that it does not reveal which accounts exist.
    throw problem('4012', 'detail.bad_proof')
  }
  time.cancel()
  return { account, secret }
}

/** One challenge per algorithm, with a new nonce for every response. */
const challengeOf =
  (nonces: DigestParts['nonces'], algorithms: readonly DigestAlgorithm[]) =>
  (error: Problem, now: Instant): string => {
    const nonce = nonces.create(now)
    const stale = isStale(error) ? ', stale=true' : ''
    return algorithms
      .map(
        (algorithm) =>
          `Digest realm="${realm}", qop="auth", algorithm=${algorithm}, nonce="${nonce}", ` +
          `opaque="${nonces.opaque}", charset=UTF-8, userhash=false${stale}`,
      )
      .join(', ')
  }

/** Returns a function that returns the secret of an account when the credential proves it. */
function verifierOf(secrets: DigestSecrets) {
  let decoy: string | undefined
  const decryptDecoy = () => {
    decoy ??= secrets.make('', '') ?? ''
    return secrets.decrypt(decoy, '')
  }
  return (
    credential: DigestCredential,
    account: Pick<LoginAccount, 'username' | 'digest_secret'> | undefined,
    method: string,
  ): DigestSecret | undefined => {
    const { username = null, digest_secret = null } = account ?? {}
    const stored =
      digest_secret === null ? undefined : secrets.decrypt(digest_secret, username ?? '')
    const own = stored?.[credential.algorithm] === undefined ? undefined : stored
    // An account without a secret costs the same work, so that timing does not reveal it.
    const secret = own ?? decryptDecoy()
    const isProven = secret !== undefined && matches(credential, secret, method)
    return isProven ? own : undefined
  }
}

/** True when only the nonce was wrong: the client retries without the user (RFC 7616 3.3). */
const isStale = ({ detail }: Problem): boolean =>
  detail.key === 'detail.stale_nonce' || detail.key === 'detail.replayed_nonce'

/** Parses a credential; undefined when malformed, for another request or not of our challenges. */
function parseCredential(
  text: string,
  { originalUrl }: CredentialRequest,
  {
    nonces: { opaque, isOpaque },
    algorithms,
  }: Pick<DigestParts, 'nonces'> & { readonly algorithms: readonly DigestAlgorithm[] },
): DigestCredential | undefined {
  const parameters = parseAuthParams(text)
  const username = parameters && usernameOf(parameters)
  if (!parameters || username === undefined) return undefined
  const get = (name: string): string => parameters.get(name) ?? ''
  // MD5 is the default (RFC 7616 3.3).
  const algorithmName = (get('algorithm') || 'MD5').toUpperCase()
  const algorithm = algorithms.find((each) => each === algorithmName)
  const isOurs =
    get('realm') === realm && get('qop') === 'auth' && isOpaque(parameters.get('opaque') ?? opaque)
  const nc = get('nc')
  const cnonce = get('cnonce')
  const isComplete = /^[\da-f]{8}$/i.test(nc) && cnonce !== ''
  const uri = get('uri')
  const isSameUri = uri === originalUrl || uri.replace(/^https?:\/\/[^/?]*/i, '') === originalUrl
  if (!algorithm || !isOurs || !isComplete || !isSameUri || get('userhash') === 'true') {
    return undefined
  }
  return { username, nonce: get('nonce'), uri, response: get('response'), nc, cnonce, algorithm }
}

/** The response of RFC 7616 3.4.1; with an empty method, the `rspauth` of RFC 7616 3.5. */
function responseOf(
  { algorithm, nonce, nc, cnonce, uri }: DigestCredential,
  secret: DigestSecret,
  method: string,
): string {
  const a2 = digestOf(algorithm, `${method}:${uri}`)
  return digestOf(algorithm, [secret[algorithm], nonce, nc, cnonce, 'auth', a2].join(':'))
}

function matches(credential: DigestCredential, secret: DigestSecret, method: string): boolean {
  const expected = Buffer.from(responseOf(credential, secret, method))
  const actual = Buffer.from(credential.response.toLowerCase())
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** The value of Authentication-Info (RFC 7616 3.5). */
const authenticationInfo = (credential: DigestCredential, secret: DigestSecret): string => {
  const rspauth = responseOf(credential, secret, '')
  const cnonce = credential.cnonce.replaceAll(/["\\]/g, '\\$&')
  return `rspauth="${rspauth}", qop=auth, cnonce="${cnonce}", nc=${credential.nc}`
}
