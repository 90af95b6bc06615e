import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultCost, openPasswords } from './hash.ts'

const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }

test('a password is hashed with argon2id at the configured cost, with a salt of its own', async () => {
  const { hash } = openPasswords(defaultCost)
  const [one, other] = await Promise.all([hash('the same'), hash('the same')])
  assert.match(one ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(one, other)
})

test('a password matches its own hash and no other', async () => {
  const { hash, matches } = openPasswords(cheap)
  const hashed = await hash('pässwörd 🔑')
  assert.equal(await matches('pässwörd 🔑', hashed), true)
  assert.equal(await matches('pässwörd', hashed), false)
  assert.equal(await matches('', hashed), false)
})

test('no password matches an account without a password', async () => {
  const { matches } = openPasswords(cheap)
  for (const guess of ['', 'null', 'anything']) assert.equal(await matches(guess, null), false)
})

test('a hash made at another cost still matches', async () => {
  const costlier = openPasswords({ ...cheap, timeCost: 2 })
  const { matches } = openPasswords(cheap)
  assert.equal(await matches('a password', await costlier.hash('a password')), true)
})
