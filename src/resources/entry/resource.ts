import { hash } from 'node:crypto'
import type { Actor } from '#kernel/actor.ts'
import { singleton } from '#kernel/noun.ts'
import { anyone, shared } from '#kernel/policy.ts'
import { release } from '#kernel/release.ts'
import { read } from '#kernel/verb.ts'
import { versions } from '#kernel/versions.ts'
import { Entry } from './schema.ts'

/** The caller's own place in paths; what nobody owns is left as a template, and never shown. */
const own = ({ userId }: Actor) => (userId === null ? {} : { id: userId })
const isStranger = ({ role }: Actor): boolean => role === null
const isUser = ({ userId }: Actor): boolean => userId !== null

/** The links are all there is to it, and they follow from who is calling. */
const revisionFor = ({ userId, role, scopes }: Actor): string =>
  hash('sha1', JSON.stringify([release, userId, role, [...scopes].sort()]), 'base64url')

const entry = singleton({
  name: 'entry',
  description: 'Where a client begins: the links lead to all that it may use.',
  path: '/',
  schema: Entry,
  load: async ({ actor }) => actor,
  locate: () => ({}),
  revision: (actor) => revisionFor(actor),
  present: () => ({ ...release, api_versions: [...versions] }),
  links: {
    products: { to: 'products' },
    sign_up: {
      to: 'users',
      verb: 'create',
      when: isStranger,
      body: () => ({ name: 'string', username: 'string', password: 'string' }),
    },
    login: {
      to: 'session',
      verb: 'create',
      body: () => ({ username: 'string', password: 'string' }),
    },
    profile: { to: 'profile' },
    users: { to: 'users' },
    cart: { to: 'cart', when: isUser, params: own },
    own_orders: { to: 'user_orders', when: isUser, params: own },
    orders: { to: 'orders' },
    purchases: { to: 'purchases' },
    documentation: { to: 'docs' },
    openapi: { to: 'openapi' },
    health: { to: 'health_live' },
  },
})

/** The root of the API. */
export const entryRoutes = () => [
  read(entry, {
    summary: 'Lists the links that lead to everything the caller may use.',
    access: anyone,
    rate: 'reads',
    cache: shared,
  }),
]
