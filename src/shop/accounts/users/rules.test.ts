import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anonymous } from '#http/declare/actor.ts'
import { Problem } from '#values/problem.ts'
import {
  changesAccountKeys,
  createUserState,
  patchUserState,
  replaceUserState,
  requireAnotherAdministrator,
  requireCurrentPassword,
  type UserState,
} from './rules.ts'

const ada: UserState = {
  name: 'Ada',
  email: 'Ada@Example.com',
  email_key: 'ada@example.com',
  age: 36,
  username: 'Ada',
  username_key: 'ada',
  password_hash: 'hash',
  digest_secret: null,
  role: 'admin',
  status: 'suspended',
  language: 'fr',
  external_id: 'CRM-1',
  phone: null,
  email_verified: 1,
}

const password = { hash: 'other', createDigestSecret: () => null, requireUnlike: () => {} }

const hasCode = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code

describe('a new user', () => {
  test('is an active customer who signs in with the email', () => {
    const user = createUserState({ name: 'Ada', email: 'Ada@Example.com' })
    assert.deepEqual(user, {
      name: 'Ada',
      email: 'Ada@Example.com',
      email_key: 'ada@example.com',
      age: null,
      username: 'Ada@Example.com',
      username_key: 'ada@example.com',
      password_hash: null,
      digest_secret: null,
      role: 'customer',
      status: 'active',
      language: 'en',
      email_verified: 0,
      external_id: null,
      phone: null,
    })
  })

  test('needs only a name', () => {
    assert.equal(createUserState({ name: 'Ada' }).username, null)
  })

  test('with a password needs a username or an email', () => {
    assert.throws(() => createUserState({ name: 'Ada' }, password), hasCode('4221'))
    assert.equal(createUserState({ name: 'A', username: 'a' }, password).username_key, 'a')
    assert.equal(createUserState({ name: 'A', email: 'a@b.cd' }, password).username, 'a@b.cd')
  })
})

test('PUT resets absent fields, except username, password, role, status and language', () => {
  assert.deepEqual(replaceUserState(ada, { name: 'Countess' }), {
    ...ada,
    name: 'Countess',
    email: null,
    email_key: null,
    email_verified: 0,
    age: null,
  })
})

test('PATCH changes only the fields that are sent', () => {
  assert.deepEqual(patchUserState(ada, {}), ada)
  const changed = {
    ...ada,
    email: 'NEW@example.com',
    email_key: 'new@example.com',
    email_verified: 0,
  }
  assert.deepEqual(patchUserState(ada, { email: 'NEW@example.com' }), changed)
  assert.deepEqual(patchUserState(ada, {}, password), { ...ada, password_hash: 'other' })
  assert.deepEqual(patchUserState(ada, { age: null }), { ...ada, age: null })
})

test('a null username becomes the email, which a user with a password must have', () => {
  assert.equal(patchUserState(ada, { username: null }).username, 'Ada@Example.com')
  assert.throws(() => patchUserState(ada, { username: null, email: null }), hasCode('4221'))
  const withoutPassword = { ...ada, password_hash: null }
  assert.equal(patchUserState(withoutPassword, { username: null, email: null }).username_key, null)
})

test('usernames and emails that differ only in case or Unicode normalization have the same key', () => {
  const composed = createUserState({ name: 'A', username: 'JOSÉ' })
  const decomposed = createUserState({ name: 'A', username: 'jose\u0301' })
  assert.equal(composed.username_key, decomposed.username_key)
})

test('the account keys change only when email or username changes beyond case', () => {
  assert.equal(
    changesAccountKeys(ada, patchUserState(ada, { name: 'B', email: 'ADA@example.com' })),
    false,
  )
  assert.equal(changesAccountKeys(ada, patchUserState(ada, { email: null })), true)
  assert.equal(changesAccountKeys(ada, patchUserState(ada, { username: 'b' })), true)
})

test('users must send their current password to change their own username or password', () => {
  const owner = { userId: 7 }
  const user = { ...ada, id: 7, password_hash: 'current' }
  const change = (patch: object, currentHash?: string, actor = owner, of = user) =>
    requireCurrentPassword(
      { actor: { ...anonymous, ...actor }, provedHash: currentHash },
      of,
      patch,
    )
  for (const patch of [{ password: 'next' }, { username: 'other' }, { username: null }]) {
    assert.throws(() => change(patch), hasCode('4001'))
    assert.throws(() => change(patch, 'stale'), hasCode('4031'))
    change(patch, 'current')
    change(patch, undefined, { userId: 8 })
    change(patch, undefined, owner, { ...user, password_hash: null as unknown as string })
  }
  for (const patch of [{}, { name: 'B' }, { username: ada.username }, { email: null }]) {
    change(patch)
  }
})

describe('the last administrator', () => {
  const admin = (id: number, changes: object = {}) => ({
    ...{ id, role: 'admin' as const, status: 'active' as const, erase_at: null },
    ...changes,
  })
  const cases: readonly [string, readonly ReturnType<typeof admin>[], boolean][] = [
    ['is the only one', [admin(1)], false],
    ['has another beside', [admin(1), admin(2)], true],
    ['has one beside who is suspended', [admin(1), admin(2, { status: 'suspended' })], false],
    ['has one beside who is about to leave', [admin(1), admin(2, { erase_at: 9 })], false],
    ['has one beside who is a customer by now', [admin(1), admin(2, { role: 'customer' })], false],
  ]
  for (const [name, admins, mayGo] of cases) {
    test(`${name}: ${mayGo ? 'may go' : 'stays'}`, () => {
      const go = () => requireAnotherAdministrator(admins, { id: 1 })
      if (mayGo) go()
      else assert.throws(go, hasCode('4091'))
    })
  }
})

describe('a confirmed address', () => {
  test('stays confirmed while it is the same, ignoring case', () => {
    assert.equal(patchUserState(ada, { name: 'Ada L.' }).email_verified, 1)
    assert.equal(patchUserState(ada, { email: 'ADA@example.com' }).email_verified, 1)
  })

  test('is not confirmed once it is changed or removed', () => {
    assert.equal(patchUserState(ada, { email: 'ada@example.org' }).email_verified, 0)
    assert.equal(replaceUserState(ada, { name: 'Ada' }).email_verified, 0)
  })
})
