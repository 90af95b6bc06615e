import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { secondMs } from '#values/instant.ts'
import { unavailableProblem } from '#values/problem.ts'
import { tokenId, unknownTokenId } from './token-id.ts'

const issuer = 'https://shop.example'
const now = Date.UTC(2026, 0, 1)
const expiresAt = now + 60 * secondMs
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const idOf = (text: string, find: () => Promise<KeyObject | undefined>, at = now) =>
  tokenId({ issuer, keys: { find } }, text, at)
const findPublicKey = async () => publicKey

describe('the ID of an access token', () => {
  let token: string
  before(async () => {
    token = await new SignJWT({ jti: 'abc' })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k' })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setExpirationTime(expiresAt / secondMs)
      .sign(privateKey)
  })

  test('is that of a valid one', async () => {
    assert.equal(await idOf(token, findPublicKey), 'abc')
  })

  test('is one that no token has where the token is malformed, expired or of another server', async () => {
    assert.equal(await idOf('a.b', findPublicKey), unknownTokenId)
    assert.equal(await idOf(token, findPublicKey, expiresAt), unknownTokenId)
    assert.equal(await idOf(token, async () => undefined), unknownTokenId)
  })

  test('is not invented while the keys cannot be read', async () => {
    const isOverloaded = () => Promise.reject(unavailableProblem('detail.unavailable'))
    const fails = () => Promise.reject(new TypeError('no keys'))
    await assert.rejects(idOf(token, isOverloaded), { code: '5031' })
    await assert.rejects(idOf(token, fails), TypeError)
  })
})
