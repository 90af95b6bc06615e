import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '#http/declare/route.ts'
import type { TestResponse } from '#test/support/app.ts'
import { withIncludes } from './queries.ts'
import {
  assertErrorCode,
  type ContractApp,
  forEachRoute,
  validRequest,
} from './setup/contract-app.ts'
import { type CallerName, tokenOf } from './setup/valid-requests.ts'

interface Link {
  readonly href: string
  readonly method?: string
  readonly body?: unknown
}

const callers: readonly CallerName[] = ['anonymous', 'owner', 'admin']
const isRead = ({ method, resource }: Route): boolean =>
  method === 'GET' && resource.kind !== 'document'

/** All links in a body at any depth, as pairs of relation and link. */
export function linksIn(value: unknown): readonly (readonly [string, Link])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '_links' ? Object.entries(member as Readonly<Record<string, Link>>) : linksIn(member),
  )
}

/** All objects with `_links` in a body, the body first. */
function resourcesIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, member]) =>
    name === '_links' ? [] : resourcesIn(member),
  )
  return '_links' in value ? [value, ...inner] : inner
}

const readsOf = (route: Route, { fixtures }: ContractApp, callerName: CallerName) =>
  withIncludes(route, { ...validRequest(route, fixtures), token: tokenOf(fixtures, callerName) })

/** True if a link leads to an upload, which checks the media type before the body. */
const takesFile = ({ routes }: ContractApp, { href, method }: Link): boolean =>
  routes.some(
    (route) => route.upload && route.method === method && route.path === href.split('?', 1)[0],
  )

/** Declares the tests of the links in responses. */
export function testLinks(getContract: () => ContractApp): void {
  test('a link without a method can be read by the caller who receives it', async () => {
    const contract = getContract()
    const responses = new Map<string, Promise<TestResponse>>()
    await forEachRoute(contract, isRead, async (route) => {
      for (const callerName of callers) {
        for (const spec of readsOf(route, contract, callerName)) {
          const { json } = await contract.send(spec)
          for (const [relation, { href, method }] of linksIn(json)) {
            if (method !== undefined) continue
            const key = `${callerName} ${href}`
            const response =
              responses.get(key) ?? contract.send({ ...spec, method: 'GET', url: href })
            responses.set(key, response)
            assertReadable(await response, callerName, `${relation} ${href}`)
          }
        }
      }
    })
  })
  test('a link with a method leads to a declared operation that the caller may perform', async () => {
    const contract = getContract()
    const checked = new Set<string>()
    await forEachRoute(contract, isRead, async (route) => {
      for (const callerName of callers) {
        for (const spec of readsOf(route, contract, callerName)) {
          const { json } = await contract.send(spec)
          for (const [relation, link] of linksIn(json)) {
            const { href, method } = link
            if (method === undefined || checked.has(`${callerName} ${method} ${href}`)) continue
            checked.add(`${callerName} ${method} ${href}`)
            assert.ok(['POST', 'PUT', 'PATCH', 'DELETE'].includes(method), relation)
            const url = href
            // Only an existing operation that admits the caller gets as far as the malformed body.
            const response = await contract.send({ ...spec, method, url, payload: '{"malformed' })
            if (callerName === 'anonymous' && response.status === 401)
              assertErrorCode(response, '4011', relation)
            else {
              const code = takesFile(contract, link) ? '4151' : '4002'
              assertErrorCode(response, code, `${callerName}: ${relation} ${method} ${href}`)
            }
          }
        }
      }
    })
  })
  testSelfLinks(getContract)
}

// Anonymous callers also receive links that require signing in.
function assertReadable(response: TestResponse, callerName: CallerName, link: string): void {
  if (callerName === 'anonymous' && response.status === 401) assertErrorCode(response, '4011', link)
  else assert.equal(response.status, 200, `${callerName}: ${link} ${response.text.slice(0, 300)}`)
}

function testSelfLinks(getContract: () => ContractApp): void {
  test('an embedded resource equals the one at its self link', async () => {
    const contract = getContract()
    await forEachRoute(contract, isRead, async (route) => {
      for (const spec of readsOf(route, contract, 'owner')) {
        const { json } = await contract.send(spec)
        for (const resource of resourcesIn(json)) {
          const { self } = (resource as { _links: Record<string, Link> })._links
          assert.ok(self, `no self in ${JSON.stringify(resource)}`)
          if (self.method !== undefined) continue
          const atSelf = await contract.send({ ...spec, method: 'GET', url: self.href })
          assert.deepEqual(withoutIncludes(resource, atSelf.json), atSelf.json, self.href)
        }
      }
    })
  })
}

/** A resource without the fields that only `include` adds. */
const withoutIncludes = (resource: object, atSelf: object): object =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => name in atSelf))
