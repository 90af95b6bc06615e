import assert from 'node:assert/strict'
import {
  createHmac,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto'
import { describe, test } from 'node:test'
import { type JWTPayload, SignJWT } from 'jose'
import { type TokenKind, verifyToken } from './verification.ts'

const now = Date.UTC(2026, 5, 1, 12)
const issuer = 'https://shop.example.com'
const elsewhere = 'https://other.example.com'
const secret = createSecretKey(Buffer.alloc(32, 1))
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

interface Case {
  readonly kind: TokenKind
  readonly signingKey: KeyObject
}

const kindOf = (
  algorithm: 'HS256' | 'RS256',
  typ: 'JWT' | 'at+jwt',
  key: KeyObject,
): TokenKind => ({
  ...{ algorithm, typ, issuerFor: () => issuer },
  findKey: (kid) => (kid === 'known' ? key : undefined),
})

const cases: readonly Case[] = [
  { kind: kindOf('HS256', 'JWT', secret), signingKey: secret },
  { kind: kindOf('RS256', 'at+jwt', publicKey), signingKey: privateKey },
]

const good: JWTPayload = { iss: issuer, aud: issuer, sub: '7', exp: now / 1000 + 900 }

const sign = ({ kind, signingKey }: Case, claims: object = {}, header: object = {}) =>
  new SignJWT({ ...good, ...claims })
    .setProtectedHeader({ alg: kind.algorithm, typ: kind.typ, kid: 'known', ...header })
    .sign(signingKey)

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs tokens that the library does not sign. */
function signByHand({ kind, signingKey }: Case, header: object): string {
  const text = `${part(header)}.${part(good)}`
  const signature =
    kind.algorithm === 'HS256'
      ? createHmac('sha256', signingKey).update(text).digest()
      : signBytes('sha256', Buffer.from(text), signingKey)
  return `${text}.${signature.toString('base64url')}`
}

for (const own of cases) {
  const { kind } = own
  describe(`a token of ${kind.algorithm} and ${kind.typ}`, () => {
    const assertRejected = async (token: string, code = '4012') =>
      assert.rejects(verifyToken(kind, token, now), { name: 'Problem', code }, token)

    test('returns its claims and expiry', async () => {
      const found = await verifyToken(kind, await sign(own), now)
      assert.deepEqual(found, { claims: good, expiresAt: now + 900_000 })
    })

    test('is rejected with 4013 from the second on in which it expires', async () => {
      const token = await sign(own)
      await verifyToken(kind, token, now + 899_999)
      await assert.rejects(verifyToken(kind, token, now + 900_000), { code: '4013' })
      await assertRejected(await sign(own, { exp: undefined }), '4013')
    })

    test('is rejected by or for another server, or for others beside this one', async () => {
      const wrong = [
        { iss: elsewhere },
        { aud: elsewhere },
        { iss: elsewhere, aud: elsewhere },
        { aud: [issuer] },
        { aud: [issuer, elsewhere] },
        { iss: undefined },
        { aud: undefined },
      ]
      for (const claims of wrong) await assertRejected(await sign(own, claims))
    })

    test('is rejected of another type or without the name of a key', async () => {
      const typ = kind.typ === 'JWT' ? 'at+jwt' : 'JWT'
      for (const header of [{ typ }, { typ: undefined }, { kid: 'another' }, { kid: undefined }]) {
        await assertRejected(await sign(own, {}, header))
      }
    })

    test('is rejected of another algorithm, even with a key of ours', async () => {
      for (const other of cases.filter((each) => each !== own)) {
        await assertRejected(await sign(other))
        await assertRejected(await sign(other, {}, { typ: kind.typ }))
      }
      const text = `${part({ alg: 'none', typ: kind.typ, kid: 'known' })}.${part(good)}`
      await assertRejected(`${text}.`)
      await assertRejected(`${text}.AAAA`)
      // The public key, which everybody knows, taken for a secret.
      const asSecret = publicKey.export({ type: 'spki', format: 'pem' })
      const mixed = `${part({ alg: 'HS256', typ: kind.typ, kid: 'known' })}.${part(good)}`
      await assertRejected(
        `${mixed}.${createHmac('sha256', asSecret).update(mixed).digest('base64url')}`,
      )
    })

    test('is rejected with another signature, other claims or in another form', async () => {
      const token = await sign(own)
      const [header = '', claims = '', signature = ''] = token.split('.')
      const other = await sign(own, { sub: '8' })
      const malformed = [
        `${header}.${other.split('.')[1]}.${signature}`,
        `${header}.${claims}.${other.split('.')[2]}`,
        `${header}.${claims}`,
        `${token}.${signature}`,
        `${token}=`,
        ` ${token}`,
        `${header}.${claims}\n.${signature}`,
        `${header}.!.${signature}`,
        'a.b.c',
        '..',
        '',
      ]
      for (const text of malformed) await assertRejected(text)
    })

    test('is rejected with a critical extension that is not understood', async () => {
      const plain = { alg: kind.algorithm, typ: kind.typ, kid: 'known' }
      await verifyToken(kind, signByHand(own, plain), now)
      await assertRejected(signByHand(own, { ...plain, crit: ['extension'], extension: 1 }))
    })
  })
}

test('an error unrelated to the token is rethrown', async () => {
  const [own] = cases
  assert.ok(own)
  const broken = { ...own.kind, findKey: () => Promise.reject(new Error('no database')) }
  await assert.rejects(verifyToken(broken, await sign(own), now), /no database/)
})
