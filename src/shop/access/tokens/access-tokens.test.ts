import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { scopesOfRole } from '#shop/scopes.ts'
import { deriveKey } from '#src/secrets/keys.ts'
import { Problem } from '#values/problem.ts'
import { createTokenIssuer } from './access-tokens.ts'

const secretKey = 'a secret key that only tests sign with'
const key = deriveKey(secretKey, 'access-token')
const issuer = 'https://shop.example.com'
const own = { iss: issuer, aud: issuer }
const tokens = createTokenIssuer([secretKey], issuer)
const now = Date.UTC(2026, 5, 1, 12)
const ada = { id: 7, name: 'Ada Lovelace', role: 'customer', sessionId: 3 } as const

let ours: ReturnType<typeof decodeProtectedHeader>
before(async () => {
  ours = decodeProtectedHeader((await tokens.issueAccessToken(ada, now)).token)
})

const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(header: object, claims: object, by: Buffer = key): string {
  const text = `${base64url(header)}.${base64url(claims)}`
  return `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`
}

const rejectsWith = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code

test('an access token is a standard JWT valid for 15 minutes', async () => {
  const { token, expiresInSeconds } = await tokens.issueAccessToken(ada, now)
  const { payload, protectedHeader } = await jwtVerify(token, key, { currentDate: new Date(now) })
  const { kid, ...rest } = protectedHeader
  assert.deepEqual(rest, { alg: 'HS256', typ: 'JWT' })
  assert.match(kid ?? '', /^[\w-]{16}$/)
  const { jti, ...claims } = payload
  assert.deepEqual(claims, {
    ...own,
    sub: '7',
    name: 'Ada Lovelace',
    admin: false,
    scope: scopesOfRole('customer').join(' '),
    sid: '3',
    iat: now / 1000,
    exp: now / 1000 + 900,
  })
  assert.match(String(jti), /^[\w-]{22}$/)
  assert.equal(expiresInSeconds, 900)
})

test('no two access tokens are the same', async () => {
  const [one, other] = await Promise.all([0, 1].map(() => tokens.issueAccessToken(ada, now)))
  assert.notEqual(one?.token, other?.token)
})

test('a token is valid until the millisecond it expires', async () => {
  const { token } = await tokens.issueAccessToken(ada, now)
  const { jti = null } = decodeJwt(token)
  const expected = { userId: 7, sessionId: 3, scopes: scopesOfRole('customer'), id: jti }
  assert.deepEqual(await tokens.verify(token, now + 899_999), expected)
  await assert.rejects(tokens.verify(token, now + 900_000), rejectsWith('4013'))
})

test('a cached token is still checked for expiry and signature', async () => {
  const { token } = await tokens.issueAccessToken(ada, now)
  for (let times = 0; times < 3; times += 1)
    assert.equal((await tokens.verify(token, now)).userId, 7)
  await assert.rejects(tokens.verify(token, now + 900_000), rejectsWith('4013'))
  await assert.rejects(tokens.verify(`${token.slice(0, -1)}!`, now), rejectsWith('4012'))
  await assert.rejects(tokens.verify(`${token}A`, now), rejectsWith('4012'))
  const [header = '', claims = '', signature = ''] = token.split('.')
  const other = Buffer.from(claims, 'base64url').toString().replace('"7"', '"8"')
  const forged = `${header}.${Buffer.from(other).toString('base64url')}.${signature}`
  await assert.rejects(tokens.verify(forged, now), rejectsWith('4012'))
})

test('more tokens than are cached are verified', async () => {
  const claims = { ...own, ...ada, sub: '7', sid: '3', exp: now / 1000 + 900, scope: 'users:read' }
  const many = Array.from({ length: 2100 }, (_, jti) => signed(ours, { ...claims, jti }))
  for (const token of [...many, ...many]) assert.equal((await tokens.verify(token, now)).userId, 7)
})

test('only the algorithm of the server is accepted, whatever the token says', async () => {
  const claims = { ...own, sub: '7', sid: '3', exp: now / 1000 + 900, scope: 'users:read' }
  const good = signed(ours, claims)
  assert.equal((await tokens.verify(good, now)).userId, 7)
  const unsigned = `${base64url({ ...ours, alg: 'none' })}.${base64url(claims)}.`
  const wider = await new SignJWT(claims).setProtectedHeader({ ...ours, alg: 'HS512' }).sign(key)
  const mislabelled = signed({ ...ours, alg: 'none' }, claims)
  const otherKind = signed({ ...ours, typ: 'at+jwt' }, claims)
  const nameless = signed({ alg: 'HS256', typ: 'JWT' }, claims)
  const misnamed = signed({ ...ours, kid: 'another' }, claims)
  for (const token of [unsigned, wider, mislabelled, otherKind, nameless, misnamed]) {
    await assert.rejects(tokens.verify(token, now), rejectsWith('4012'), token)
  }
})

test('a token that was tampered with, or signed by another key, is rejected', async () => {
  const { token } = await tokens.issueAccessToken(ada, now)
  const [header = '', , signature = ''] = token.split('.')
  const promoted = `${header}.${base64url({ sub: '1', exp: now / 1000 + 900 })}.${signature}`
  const rawRoutes = (
    await createTokenIssuer(['another secret key'], issuer).issueAccessToken(ada, now)
  ).token
  const padded = `${token}=`
  const texts = [
    '',
    '.',
    '..',
    'a.b.c',
    `${header}.`,
    token.slice(0, -1),
    promoted,
    rawRoutes,
    padded,
  ]
  for (const text of texts) {
    await assert.rejects(tokens.verify(text, now), rejectsWith('4012'), text)
  }
})

test('a token by or for another server is rejected, though signed by the same key', async () => {
  const claims = { ...own, sub: '7', sid: '3', exp: now / 1000 + 900, scope: 'users:read' }
  assert.equal((await tokens.verify(signed(ours, claims), now)).userId, 7)
  const elsewhere = 'https://other.example.com'
  const others = [
    { ...claims, iss: elsewhere },
    { ...claims, aud: elsewhere },
    { ...claims, aud: [issuer] },
    { ...claims, iss: undefined },
    { ...claims, aud: undefined },
  ]
  for (const each of others) {
    await assert.rejects(tokens.verify(signed(ours, each), now), rejectsWith('4012'))
  }
  const { token } = await createTokenIssuer([secretKey], elsewhere).issueAccessToken(ada, now)
  await assert.rejects(tokens.verify(token, now), rejectsWith('4012'))
})

test('processes of a shop on localhost accept tokens of one another', async () => {
  const first = createTokenIssuer([secretKey], 'http://localhost:3000')
  const second = createTokenIssuer([secretKey], 'https://localhost:3443')
  assert.equal((await second.verify((await first.issueAccessToken(ada, now)).token, now)).userId, 7)
  const { token } = await tokens.issueAccessToken(ada, now)
  await assert.rejects(first.verify(token, now), rejectsWith('4012'))
  const local = (await first.issueAccessToken(ada, now)).token
  await assert.rejects(tokens.verify(local, now), rejectsWith('4012'))
})

test('a token of ours without a user, a session or an expiry is rejected', async () => {
  const nobody = signed(ours, { ...own, sid: '3', exp: now / 1000 + 900 })
  const stray = signed(ours, { ...own, sub: '7', exp: now / 1000 + 900 })
  const forEver = signed(ours, { ...own, sub: '7', sid: '3' })
  await assert.rejects(tokens.verify(nobody, now), rejectsWith('4012'))
  await assert.rejects(tokens.verify(stray, now), rejectsWith('4012'))
  await assert.rejects(tokens.verify(forEver, now), rejectsWith('4013'))
})

test('a refresh token has 256 random bits and is kept by its hash', () => {
  const { secret, hash } = tokens.createRefreshToken()
  assert.match(secret, /^[\w-]{43}$/)
  assert.equal(tokens.hashRefreshToken(secret), hash)
  assert.ok(!hash.includes(secret))
  assert.notEqual(tokens.createRefreshToken().secret, secret)
})
