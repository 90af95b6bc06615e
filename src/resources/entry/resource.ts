import { hash } from 'node:crypto'
import { versions } from '#http/codec/versions.ts'
import type { Actor } from '#http/declare/caller.ts'
import { anyone, shared } from '#http/declare/policy.ts'
import { singleton } from '#http/declare/resource.ts'
import { read } from '#http/declare/route.ts'
import { release } from '#http/server/release.ts'
import type { Instant } from '#values/instant.ts'
import { Entry } from './schema.ts'

/** The caller's own place in paths; what nobody owns is left as a template, and never shown. */
const own = ({ userId }: Actor) => (userId === null ? {} : { id: userId })
const isStranger = ({ role }: Actor): boolean => role === null
const isUser = ({ userId }: Actor): boolean => userId !== null

/** Beside the links, which follow from who is calling, there is the release alone. */
const revision = hash('sha1', JSON.stringify(release), 'base64url')

const entrySince = (since: Instant) =>
  singleton({
    name: 'entry',
    description: 'Where a client begins: the links lead to all that it may use.',
    path: '/',
    schema: Entry,
    load: async ({ actor }) => actor,
    pathParams: () => ({}),
    revision: () => revision,
    changedAt: () => [since],
    present: () => ({ ...release, api_versions: [...versions] }),
    links: {
      products: { to: 'products' },
      sign_up: {
        to: 'users',
        operation: 'create',
        when: isStranger,
        body: () => ({ name: 'string', username: 'string', password: 'string' }),
      },
      login: {
        to: 'login',
        operation: 'create',
        body: () => ({ username: 'string', password: 'string' }),
      },
      profile: { to: 'profile' },
      sessions: { to: 'sessions', when: isUser },
      api_keys: { to: 'api_keys', when: isUser },
      oauth_consents: { to: 'oauth_consents', when: isUser },
      users: { to: 'users' },
      cart: { to: 'cart', when: isUser, params: own },
      own_orders: { to: 'user_orders', when: isUser, params: own },
      orders: { to: 'orders' },
      purchases: { to: 'purchases' },
      documentation: { to: 'docs' },
      openapi: { to: 'openapi' },
      problems: { to: 'problems' },
      health: { to: 'health_live' },
    },
  })

/** The root of the API, the same since this moment. */
export const entryRoutes = (since: Instant) => [
  read(entrySince(since), {
    summary: 'Lists the links that lead to everything the caller may use.',
    access: anyone,
    rate: 'reads',
    cache: shared,
  }),
]
