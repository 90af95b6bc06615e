import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nativeArgon2, nodeArgon2 } from './argon2.ts'
import { createPasswordHasher, defaultCost } from './hash.ts'

const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }

test('a password is hashed with argon2id at the configured cost, with a salt of its own', async () => {
  const { hash } = createPasswordHasher(defaultCost)
  const [one, other] = await Promise.all([hash('the same'), hash('the same')])
  assert.match(one ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(one, other)
})

test('a password matches its own hash and no other', async () => {
  const { hash, matches } = createPasswordHasher(cheap)
  const hashed = await hash('pässwörd 🔑')
  assert.equal(await matches('pässwörd 🔑', hashed), true)
  assert.equal(await matches('pässwörd', hashed), false)
  assert.equal(await matches('', hashed), false)
})

test('no password matches an account without a password', async () => {
  const { matches } = createPasswordHasher(cheap)
  for (const guess of ['', 'null', 'anything']) assert.equal(await matches(guess, null), false)
})

test('a hash made at another cost still matches', async () => {
  const costlier = createPasswordHasher({ ...cheap, timeCost: 2 })
  const { matches } = createPasswordHasher(cheap)
  assert.equal(await matches('a password', await costlier.hash('a password')), true)
})

test('hashes of the native package and of node:crypto match with either', async () => {
  const cost = { memoryCost: 32, timeCost: 2, parallelism: 3 }
  const native = createPasswordHasher(cost, nativeArgon2)
  const node = createPasswordHasher(cost, nodeArgon2)
  for (const [maker, other] of [
    [native, node],
    [node, native],
  ] as const) {
    const hashed = await maker.hash('pässwörd 🔑')
    assert.match(hashed, /^\$argon2id\$v=19\$m=32,t=2,p=3\$[^$=]{22}\$[^$=]{43}$/)
    assert.equal(await other.matches('pässwörd 🔑', hashed), true)
    assert.equal(await other.matches('pässwörd', hashed), false)
  }
})

test('no password matches what is no hash of argon2id', async () => {
  const hashed = await createPasswordHasher(cheap).hash('a password')
  const malformed = [
    '',
    'a password',
    hashed.slice(0, -1),
    `${hashed}=`,
    `${hashed}\n`,
    hashed.replace('argon2id', 'argon2i'),
    hashed.replace('v=19', 'v=16'),
    hashed.replace('m=8', 'm=7'),
    hashed.replace('m=8', 'm=4294967295'),
    hashed.replace('t=1', 't=0'),
    hashed.replace('p=1', 'p=0'),
    hashed.replace(/.$/, '_'),
  ]
  for (const argon2 of [nativeArgon2, nodeArgon2]) {
    const { matches } = createPasswordHasher(cheap, argon2)
    for (const each of malformed) assert.equal(await matches('a password', each), false, each)
  }
})
