import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catchProblem } from '#test/support/problems.ts'
import { createClientState, patchClientState, requireSecureRedirects } from './rules.ts'
import type { OauthClientBody } from './schema.ts'

const callback = 'https://app.example/callback'
const minimal: OauthClientBody = { client_name: 'App', redirect_uris: [callback] }
const createState = (body: Partial<OauthClientBody>) =>
  createClientState({ ...minimal, ...body }, 7)

test('the default grant type is authorization_code', () => {
  const { grant_types, response_types, token_endpoint_auth_method, user_id } = createState({})
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

test('the default response types follow from the grant types', () => {
  const { response_types } = createState({ grant_types: ['implicit'] })
  assert.deepEqual(response_types, ['token', 'id_token', 'id_token token'])
  assert.deepEqual(createState({ grant_types: ['client_credentials'] }).response_types, [])
  const client = createState({})
  assert.deepEqual(patchClientState(client, { grant_types: ['password'] }).response_types, [])
  const fewer = createState({ grant_types: ['implicit'], response_types: ['token'] })
  assert.deepEqual(patchClientState(fewer, { client_name: 'B' }).response_types, ['token'])
  const all = ['token', 'id_token', 'id_token token']
  assert.deepEqual(patchClientState(fewer, { response_types: null }).response_types, all)
})

test('the default scope is that of OpenID Connect; a scope is normalized', () => {
  assert.equal(createState({}).scope, 'openid profile email offline_access')
  assert.equal(createState({ scope: '  openid  orders:read openid ' }).scope, 'openid orders:read')
})

const safeUris = [
  callback,
  'https://app.example/callback?from=shop',
  'http://localhost:8080/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:1234/',
]
const unsafeUris = [
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

test('redirect URIs are https or loopback addresses', () => {
  for (const uri of safeUris) {
    assert.deepEqual(createState({ redirect_uris: [uri] }).redirect_uris, [uri])
  }
  for (const uri of unsafeUris) {
    const { code, issues } = catchProblem(() => createState({ redirect_uris: [callback, uri] }))
    assert.equal(`${code} ${issues[0]?.field}`, '4221 redirect_uris[1]', uri)
  }
})

test('logout redirect URIs follow the same rules as redirect URIs', () => {
  for (const uri of safeUris) {
    const uris = { post_logout_redirect_uris: [uri] }
    assert.deepEqual(createState(uris).post_logout_redirect_uris, [uri])
  }
  for (const uri of unsafeUris) {
    const { code, issues } = catchProblem(() => createState({ post_logout_redirect_uris: [uri] }))
    assert.equal(`${code} ${issues[0]?.field}`, '4221 post_logout_redirect_uris[0]', uri)
  }
})

const loopbackUri = 'http://127.0.0.1:8080/callback'

test('a web application may use http redirect URIs only when the issuer uses http', () => {
  const secureIssuer = 'https://shop.example'
  const client = createState({
    redirect_uris: [callback, loopbackUri],
    post_logout_redirect_uris: [loopbackUri],
  })
  assert.equal(requireSecureRedirects(client, 'http://localhost:3000'), client)
  const { code, issues } = catchProblem(() => requireSecureRedirects(client, secureIssuer))
  assert.deepEqual(
    [code, ...issues.map(({ field }) => field)],
    ['4221', 'redirect_uris[1]', 'post_logout_redirect_uris[0]'],
  )
  const native = createState({ application_type: 'native', redirect_uris: [loopbackUri] })
  assert.equal(requireSecureRedirects(native, secureIssuer), native)
  const secure = createState({})
  assert.equal(requireSecureRedirects(secure, secureIssuer), secure)
})

const invalidBodies: readonly (readonly [Partial<OauthClientBody>, string, string])[] = [
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

test('a client that could never get a token, or only unsafely, is rejected', () => {
  for (const [body, expected, field] of invalidBodies) {
    const { code, issues } = catchProblem(() => createState(body))
    assert.equal(`${code} ${issues[0]?.field}`, `${expected} ${field}`)
  }
})
