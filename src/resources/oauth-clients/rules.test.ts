import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf } from '#test/support/problems.ts'
import { createClientState, patchClientState, requireSecureRedirects } from './rules.ts'
import type { OauthClientBody } from './schema.ts'

const callback = 'https://app.example/callback'
const plain: OauthClientBody = { client_name: 'App', redirect_uris: [callback] }
const describe = (body: Partial<OauthClientBody>) => createClientState({ ...plain, ...body }, 7)

test('a client may use the authorization code alone unless it asks for more', () => {
  const { grant_types, response_types, token_endpoint_auth_method, user_id } = describe({})
  assert.deepEqual(
    { grant_types, response_types, token_endpoint_auth_method, user_id },
    {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      user_id: 7,
    },
  )
})

test('what may be asked for follows from the grants', () => {
  const { response_types } = describe({ grant_types: ['implicit'] })
  assert.deepEqual(response_types, ['token', 'id_token', 'id_token token'])
  assert.deepEqual(describe({ grant_types: ['client_credentials'] }).response_types, [])
  const client = describe({})
  assert.deepEqual(patchClientState(client, { grant_types: ['password'] }).response_types, [])
  const fewer = describe({ grant_types: ['implicit'], response_types: ['token'] })
  assert.deepEqual(patchClientState(fewer, { client_name: 'B' }).response_types, ['token'])
  const all = ['token', 'id_token', 'id_token token']
  assert.deepEqual(patchClientState(fewer, { response_types: null }).response_types, all)
})

test('a client without a scope of its own may sign users in and do nothing more', () => {
  assert.equal(describe({}).scope, 'openid profile email offline_access')
  assert.equal(describe({ scope: '  openid  orders:read openid ' }).scope, 'openid orders:read')
})

const safe = [
  callback,
  'https://app.example/callback?from=shop',
  'http://localhost:8080/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:1234/',
]
const unsafe = [
  'http://app.example/callback',
  'https://app.example/callback#part',
  'https://app.example/call back',
  'https://*.example/callback',
  'https://user:secret@app.example/',
  'https://app.example\\@evil.example/',
  'http://127.0.0.1.evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '/callback',
  'nothing',
]

test('a code is sent to https addresses and to this machine alone', () => {
  for (const uri of safe) assert.deepEqual(describe({ redirect_uris: [uri] }).redirect_uris, [uri])
  for (const uri of unsafe) {
    const { code, issues } = problemOf(() => describe({ redirect_uris: [callback, uri] }))
    assert.equal(`${code} ${issues[0]?.field}`, '4221 redirect_uris[1]', uri)
  }
})

test('users are sent to no other address after signing out than a code is', () => {
  for (const uri of safe) {
    const uris = { post_logout_redirect_uris: [uri] }
    assert.deepEqual(describe(uris).post_logout_redirect_uris, [uri])
  }
  for (const uri of unsafe) {
    const { code, issues } = problemOf(() => describe({ post_logout_redirect_uris: [uri] }))
    assert.equal(`${code} ${issues[0]?.field}`, '4221 post_logout_redirect_uris[0]', uri)
  }
})

const near = 'http://127.0.0.1:8080/callback'

test('a web application is sent to http addresses only where the server itself is served so', () => {
  const far = 'https://shop.example'
  const client = describe({
    redirect_uris: [callback, near],
    post_logout_redirect_uris: [near],
  })
  assert.equal(requireSecureRedirects(client, 'http://localhost:3000'), client)
  const { code, issues } = problemOf(() => requireSecureRedirects(client, far))
  assert.deepEqual(
    [code, ...issues.map(({ field }) => field)],
    ['4221', 'redirect_uris[1]', 'post_logout_redirect_uris[0]'],
  )
  const native = describe({ application_type: 'native', redirect_uris: [near] })
  assert.equal(requireSecureRedirects(native, far), native)
  const secure = describe({})
  assert.equal(requireSecureRedirects(secure, far), secure)
})

const unsound: readonly (readonly [Partial<OauthClientBody>, string, string])[] = [
  [{ redirect_uris: [] }, '4001', 'redirect_uris'],
  [{ grant_types: ['implicit'], redirect_uris: [] }, '4001', 'redirect_uris'],
  [{ response_types: ['token'] }, '4221', 'response_types'],
  [{ response_types: [] }, '4221', 'response_types'],
  [{ grant_types: ['refresh_token'] }, '4221', 'grant_types'],
  [{ scope: 'openid everything' }, '4221', 'scope'],
  [
    { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
    '4221',
    'token_endpoint_auth_method',
  ],
]

test('a client that could never get a token, or not safely, is refused', () => {
  for (const [body, expected, field] of unsound) {
    const { code, issues } = problemOf(() => describe(body))
    assert.equal(`${code} ${issues[0]?.field}`, `${expected} ${field}`)
  }
})
