import { timingSafeEqual } from 'node:crypto'
import { findAccountNamed } from '#auth/accounts.ts'
import { type Authenticator, actorOf, realm } from '#auth/authentication.ts'
import { recordFailure } from '#auth/failed-sign-in.ts'
import type { KnownNetworks } from '#auth/known-networks.ts'
import { constantTime } from '#auth/passwords/constant-time.ts'
import { spendNonce } from '#auth/store.ts'
import type { Credential } from '#http/declare/caller.ts'
import type { CarryingRequest } from '#http/pipeline/guards/authentication.ts'
import type { LoginThrottle } from '#http/rate-limit/login-throttle.ts'
import type { Instant } from '#values/instant.ts'
import { type Problem, problem } from '#values/problem.ts'
import { parametersIn, usernameIn } from './header-fields.ts'
import type { openNonces } from './nonces.ts'
import {
  type DigestAlgorithm,
  type DigestSecret,
  digestOf,
  type openDigestSecrets,
} from './secrets.ts'

/** What Digest is made with. */
export interface DigestDependencies {
  readonly nonces: ReturnType<typeof openNonces>
  readonly secrets: ReturnType<typeof openDigestSecrets>
  readonly loginThrottle: LoginThrottle
  readonly knownNetworks: Pick<KnownNetworks, 'note'>
}

interface Response {
  readonly username: string
  readonly nonce: string
  readonly uri: string
  readonly response: string
  readonly nc: string
  readonly cnonce: string
  readonly algorithm: DigestAlgorithm
}

const credential: Credential = {
  scheme: 'digest',
  id: null,
  clientId: null,
  authority: 'password',
}

/**
 * A proof of the password that does not send it (RFC 7616): SHA-256 and, where offered, MD5, with `qop=auth`. Each use of
 * a nonce has a higher count than the last, in the database, so that no process takes one twice.
 */
export function digest({
  nonces,
  secrets,
  loginThrottle,
  knownNetworks,
}: DigestDependencies): Authenticator {
  const prove = proverBy(secrets)
  const { algorithms } = secrets
  return {
    scheme: 'digest',
    challenge: challengeBy(nonces, algorithms),
    security: {
      digest: {
        type: 'http',
        scheme: 'digest',
        description: `Username and password by RFC 7616, in ${algorithms.join(' or ')}, with \`qop=auth\`.`,
      },
    },
    identify: async (db, { text, request }, now) => {
      const sent = responseIn(text, request, { nonces, algorithms })
      const nonce = sent && nonces.read(sent.nonce, now)
      if (!sent || !nonce) throw problem('4012', 'detail.bad_digest')
      const { ip, method } = request
      const claim = { address: ip, name: sent.username, now }
      const time = constantTime()
      const proven = await loginThrottle.check(claim, async () => {
        const account = await findAccountNamed(db, sent.username)
        const secret = prove(sent, account, method)
        if (account && secret) return { account, secret }
        await recordFailure(db, { request, account, scheme: 'digest' }, now)
        return undefined
      })
      if (!proven) {
        await time.pass()
        // The same whoever is named, or it would tell who there is.
        throw problem('4012', 'detail.bad_proof')
      }
      time.forget()
      const { account, secret } = proven
      const actor = actorOf(account, credential)
      knownNetworks.note(account.id, ip, now)
      if (!nonce.isFresh) throw problem('4013', 'detail.stale_nonce')
      const use = {
        nonce: sent.nonce,
        count: Number.parseInt(sent.nc, 16),
        expiresAt: nonce.expiresAt,
      }
      if (!(await spendNonce(db, use))) throw problem('4012', 'detail.replayed_nonce')
      const next = nonce.isOld ? `, nextnonce="${nonces.make(now)}"` : ''
      return { actor, info: confirm(sent, secret) + next }
    },
  }
}

/** A challenge for each algorithm, with a nonce of its own for every refusal. */
const challengeBy =
  (nonces: DigestDependencies['nonces'], algorithms: readonly DigestAlgorithm[]) =>
  (refused: Problem, now: Instant): string => {
    const nonce = nonces.make(now)
    const stale = isStale(refused) ? ', stale=true' : ''
    return algorithms
      .map(
        (algorithm) =>
          `Digest realm="${realm}", qop="auth", algorithm=${algorithm}, nonce="${nonce}", ` +
          `opaque="${nonces.opaque}", charset=UTF-8, userhash=false${stale}`,
      )
      .join(', ')
  }

/** Tells the secret of the account that a response proves. */
function proverBy(secrets: DigestDependencies['secrets']) {
  let decoy: string | undefined
  const madeUp = () => {
    decoy ??= secrets.make('', '') ?? ''
    return secrets.open(decoy, '')
  }
  return (
    sent: Response,
    account: { username: string | null; digest_secret: string | null } | undefined,
    method: string,
  ) => {
    const { username = null, digest_secret = null } = account ?? {}
    const kept = digest_secret === null ? undefined : secrets.open(digest_secret, username ?? '')
    const own = kept?.[sent.algorithm] === undefined ? undefined : kept
    // As much work where there is nobody.
    const secret = own ?? madeUp()
    const isProven = secret !== undefined && fits(sent, secret, method)
    return isProven && own !== undefined ? own : undefined
  }
}

/** True where the proof was right and only its nonce was not: the client need ask nobody again. */
const isStale = ({ detail }: Problem): boolean =>
  detail.key === 'detail.stale_nonce' || detail.key === 'detail.replayed_nonce'

/** Reads a response; undefined where it is none that could be right. */
function responseIn(
  text: string,
  { originalUrl }: CarryingRequest,
  {
    nonces: { opaque, isOpaque },
    algorithms,
  }: Pick<DigestDependencies, 'nonces'> & { readonly algorithms: readonly DigestAlgorithm[] },
): Response | undefined {
  const sent = parametersIn(text)
  const username = sent && usernameIn(sent)
  if (!sent || username === undefined) return undefined
  const get = (name: string): string => sent.get(name) ?? ''
  const named = get('algorithm') || 'MD5'
  const algorithm = algorithms.find((each) => each === named.toUpperCase())
  const isOurs =
    get('realm') === realm && get('qop') === 'auth' && isOpaque(sent.get('opaque') ?? opaque)
  const isWhole = /^[\da-f]{8}$/i.test(get('nc')) && get('cnonce') !== ''
  const uri = get('uri')
  const isHere = uri === originalUrl || uri.replace(/^https?:\/\/[^/?]*/i, '') === originalUrl
  if (!algorithm || !isOurs || !isWhole || !isHere || sent.get('userhash') === 'true')
    return undefined
  const [nonce, response, nc, cnonce] = ['nonce', 'response', 'nc', 'cnonce'].map(get)
  return {
    username,
    nonce: nonce ?? '',
    uri,
    response: response ?? '',
    nc: nc ?? '',
    cnonce: cnonce ?? '',
    algorithm,
  }
}

/** The response that proves the secret; with an empty method, the one by which the server answers. */
function answerTo(
  { algorithm, nonce, nc, cnonce, uri }: Response,
  secret: DigestSecret,
  method: string,
) {
  const second = digestOf(algorithm, `${method}:${uri}`)
  return digestOf(algorithm, [secret[algorithm], nonce, nc, cnonce, 'auth', second].join(':'))
}

function fits(sent: Response, secret: DigestSecret, method: string): boolean {
  const expected = Buffer.from(answerTo(sent, secret, method))
  const given = Buffer.from(sent.response.toLowerCase())
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const confirm = (sent: Response, secret: DigestSecret): string => {
  const cnonce = sent.cnonce.replaceAll(/["\\]/g, '\\$&')
  return `rspauth="${answerTo(sent, secret, '')}", qop=auth, cnonce="${cnonce}", nc=${sent.nc}`
}
