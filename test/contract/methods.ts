import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, METHODS, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import {
  assertErrorCode,
  type ContractApp,
  forEachRoute,
  type RequestSpec,
  validRequest,
} from './setup/contract-app.ts'
import { resolvePath } from './setup/valid-requests.ts'

const splitList = (list = ''): readonly string[] => list.split(/, */).sort()

/** The methods that the path of a route offers. */
function allowedMethods({ routes }: ContractApp, { path }: Route): readonly string[] {
  const declared = routes.filter((route) => route.path === path)
  const methods: readonly string[] = declared.map(({ method }) => method)
  const isCollection = declared.some(({ kind }) => kind === 'list' || kind === 'follow')
  return [
    ...methods,
    ...(methods.includes('GET') ? ['HEAD'] : []),
    ...(isCollection ? ['QUERY'] : []),
    'OPTIONS',
  ].sort()
}

/** Selects one route of each path. */
function onePerPath({ routes }: ContractApp): (route: Route) => boolean {
  const first = new Set(
    Map.groupBy(routes, ({ path }) => path)
      .values()
      .map(([route]) => route),
  )
  return (route) => first.has(route)
}

/** Declares the tests of the methods of every path. */
export function testMethods(getContract: () => ContractApp): void {
  test('a method that a path does not offer answers 405 with Allow', async () => {
    const contract = getContract()
    const { send, fixtures } = contract
    await forEachRoute(contract, onePerPath(contract), async (route) => {
      const allowed = allowedMethods(contract, route)
      // CONNECT asks for a tunnel, not for a resource.
      const others = METHODS.filter((each) => !allowed.includes(each) && each !== 'CONNECT')
      for (const method of others) {
        const response = await send({
          method,
          url: resolvePath(route, fixtures),
          payload: '{"malformed',
        })
        if (method === 'HEAD') assert.equal(response.status, 405)
        else assertErrorCode(response, '4051', method)
        assert.deepEqual(splitList(response.headers['allow']), allowed)
      }
    })
  })
  test('PROPFIND over a socket answers 405 with Allow', async () => {
    const contract = getContract()
    const { port } = contract.shop.app.server.address() as AddressInfo
    await forEachRoute(contract, onePerPath(contract), async (route) => {
      const path = resolvePath(route, contract.fixtures)
      const sent = request({ host: '127.0.0.1', port, method: 'PROPFIND', path, agent: false })
      sent.end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      assert.equal(response.statusCode, 405)
      assert.deepEqual(splitList(response.headers.allow), allowedMethods(contract, route))
    })
  })
  test('OPTIONS answers Allow, and Accept-Patch where the path has PATCH', async () => {
    const contract = getContract()
    const { send, fixtures } = contract
    await forEachRoute(contract, onePerPath(contract), async (route) => {
      const response = await send({ method: 'OPTIONS', url: resolvePath(route, fixtures) })
      assert.equal(response.status, 204)
      const allowed = allowedMethods(contract, route)
      assert.deepEqual(splitList(response.headers['allow']), allowed)
      const patch = response.headers['accept-patch']
      if (!allowed.includes('PATCH')) assert.equal(patch, undefined)
      else assert.match(patch ?? '', /application\/merge-patch\+json/)
    })
  })
  testHead(getContract)
  testUnknownPaths(getContract)
}

function testHead(getContract: () => ContractApp): void {
  test('HEAD answers the headers of GET without the body', async () => {
    const contract = getContract()
    const { send, fixtures } = contract
    const callers = [undefined, fixtures.owner.token, fixtures.admin.token]
    await forEachRoute(
      contract,
      ({ method }) => method === 'GET',
      async (route) => {
        const url = resolvePath(route, fixtures)
        for (const token of callers) {
          const spec: RequestSpec = {
            method: 'GET',
            url,
            token,
            headers: { 'x-request-id': 'same' },
          }
          const got = await send(spec)
          const head = await send({ ...spec, method: 'HEAD' })
          assert.equal(head.status, got.status)
          const isStream = got.headers['transfer-encoding'] === 'chunked'
          assert.equal(head.headers['content-length'] === undefined, isStream, 'content-length')
          assert.deepEqual(
            comparableHeaders(route, head.headers),
            comparableHeaders(route, got.headers),
          )
        }
      },
    )
  })
}

// Live metrics and the nonce of a challenge differ between two responses, and HEAD has no content to encode.
function comparableHeaders({ path }: Route, headers: Readonly<Record<string, string>>) {
  const { date: _, 'transfer-encoding': __, 'www-authenticate': challenges, ...rest } = headers
  const challenge = challenges?.replaceAll(/nonce="[^"]+"/g, 'nonce')
  const same = { ...rest, challenge }
  return path === '/metrics' ? { ...same, etag: '', 'content-length': '' } : same
}

function testUnknownPaths(getContract: () => ContractApp): void {
  test('paths below and beside every route answer 404', async () => {
    const contract = getContract()
    const { send, fixtures } = contract
    await forEachRoute(contract, onePerPath(contract), async (route) => {
      const path = resolvePath(route, fixtures)
      const root = path.replace(/\/$/, '')
      for (const url of [`${root}/no/such/place`, `${path}/`, `/${path}`, `${path}/?page=1`]) {
        for (const method of ['GET', route.method]) {
          assertErrorCode(await send({ method, url }), '4042', url)
        }
      }
      const dotted = await send({
        method: 'GET',
        url: `${root || '/'}.json`,
        token: fixtures.admin.token,
      })
      assert.equal(dotted.status, 404, dotted.text)
    })
  })
  test('an unknown or malformed identifier answers 404', async () => {
    const contract = getContract()
    const { fixtures, send } = contract
    const { token } = fixtures.admin
    await forEachRoute(
      contract,
      ({ path }) => path.includes(':'),
      async (route) => {
        const spec = validRequest(route, fixtures)
        const steps = route.path.split('/').flatMap((step, at) => (step.startsWith(':') ? at : []))
        for (const at of steps) {
          for (const id of malformedIds) {
            const url = spec.url.split('/').with(at, id).join('/')
            const response = await send({ ...spec, token, url })
            const expected = id === '%' ? '4001' : id.length > 1000 ? '4141' : '4041'
            assertErrorCode(response, expected, url.slice(0, 100))
          }
        }
      },
    )
  })
}

const malformedIds = [
  '999999999',
  '0',
  '-1',
  '1.0',
  '01',
  '1e3',
  'abc',
  '99999999999999999999999',
  '9007199254740993',
  '%00',
  '%20',
  "1'--",
  '1%2F2',
  '%EF%BC%91',
  '%',
  'a'.repeat(1001),
]
