import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withGrants } from './rules.ts'

const consent = { id: 1, expires_at: 100 }

test('a consent has the scopes of all its grants and the latest expiry', () => {
  const grants = [
    { granted_scope: 'openid orders:read', count: 2, expires_at: 50 },
    { granted_scope: 'carts:write openid', count: 1, expires_at: 70 },
    { granted_scope: null, count: 1, expires_at: 60 },
    { granted_scope: '', count: 1, expires_at: 60 },
  ]
  assert.deepEqual(withGrants(consent, grants), {
    id: 1,
    scopes: ['carts:write', 'openid', 'orders:read'],
    grants: 5,
    expires_at: 70,
  })
})

test('a consent without grants has no scopes', () => {
  assert.deepEqual(withGrants(consent, []), { id: 1, scopes: [], grants: 0, expires_at: 100 })
})
