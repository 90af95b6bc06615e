import type { Scope } from '#http/declare/caller.ts'
import type { Context } from '#http/declare/context.ts'
import { adminOnly, anyone, personal } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { create, created, list, modify, read, remove, replace } from '#http/declare/route.ts'
import type { Dependencies, Digests, Passwords } from '#resources/dependencies.ts'
import type { PersonalData } from '#resources/personal-data.ts'
import { ownUser } from './access.ts'
import {
  createUser,
  eraseUser,
  type exportOf,
  type PasswordProof,
  proveOwnPassword,
  requireAnotherAdmin,
  saveUser,
} from './actions.ts'
import { commonPassword, requireOtherThan } from './password-rule.ts'
import { describeUser, replaceUser, requireCurrentPassword, reviseUser } from './rules.ts'
import { NewUser, User, UserBody, UserFilters, UserPatch } from './schema.ts'
import * as store from './store.ts'

const userItem = (data: Export) =>
  item({
    name: 'user',
    description: 'Somebody who uses the shop.',
    path: '/users/:id',
    schema: User,
    load: ({ db }, { id }) => store.findUser(db, id),
    isGone: ({ deleted_at }) => deleted_at !== null,
    pathParams: ({ id }) => ({ id }),
    revision: ({ revision }) => revision,
    changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
    owner: ({ id }) => id,
    present: (row) => row,
    computedIncludes: { data },
    links: {
      login: { to: 'login', operation: 'create', when: (_, { actor }) => actor.role === null },
      orders: { to: 'user_orders' },
      cart: { to: 'cart' },
      api_keys: {
        to: 'api_keys',
        query: ({ id }) => `?user_id=${id}`,
        when: (_, { actor }) => actor.role !== null,
      },
      edit: { to: 'user', operation: 'replace' },
      delete: { to: 'user', operation: 'remove' },
      erasure: {
        to: 'erasure',
        operation: 'create',
        when: ({ id }, { actor }) => actor.userId === id,
      },
    },
  })

type Export = ReturnType<typeof exportOf>
type Resources = ReturnType<typeof userResources>

function userResources(data: Export) {
  const user = userItem(data)
  return { user, users: collection({ name: 'users', path: '/users', item: user }) }
}

// Loading the user tells whether it is there; asking beforehand would be a second query.
const own = (scope: Scope) => ({ ...ownUser(scope), presence: async () => 'present' as const })

type Hashing = <B extends { readonly password?: string }>(body: B) => Promise<B>

const hashingBy =
  ({ hash, isCommon }: Passwords, { make }: Digests): Hashing =>
  async (body) => {
    const { password } = body
    if (password === undefined) return body
    if (await isCommon(password)) throw commonPassword()
    const digestFor = (username: string) => make(username, password)
    const requireUnlike = (names: readonly (string | null)[]) => requireOtherThan(names, password)
    return { ...body, password: await hash(password), digestFor, requireUnlike }
  }

/** Proves the current password where the own account is changed, then hashes the new one. */
const provingBy =
  (proof: PasswordProof, hashed: Hashing) =>
  async <B extends { readonly password?: string; readonly current_password?: string }>(
    body: B,
    ctx: Context,
    params: Readonly<Record<string, number>>,
  ): Promise<B> => {
    const { current_password } = body
    if (current_password === undefined || params['id'] !== ctx.actor.userId) {
      return hashed(body)
    }
    const proven = await proveOwnPassword(proof, ctx, current_password)
    return hashed({ ...body, current_password: proven })
  }

/** Users: everybody signs up, and keeps an account of which administrators hold the role. */
export const userRoutes = (
  {
    passwords,
    loginThrottle,
    digests,
  }: Pick<Dependencies, 'passwords' | 'loginThrottle' | 'digests'>,
  personalDataDeclarations: readonly PersonalData[],
  data: Export,
) => {
  const hashed = hashingBy(passwords, digests)
  const proved = provingBy({ passwords, loginThrottle }, hashed)
  const resources = userResources(data)
  return [
    ...collectionRoutes(resources, hashed),
    ...itemRoutes(resources, proved, personalDataDeclarations),
  ]
}

const collectionRoutes = ({ users }: Resources, prepareBody: Hashing) => [
  list(users, {
    summary: 'Pages through the users.',
    access: adminOnly('users:read'),
    rate: 'reads',
    cache: personal,
    filters: UserFilters,
    sorts: ['id', 'name', 'email', 'age', 'created_at', 'updated_at'],
    find: ({ db }, { filters, page }) => store.listUsers(db, filters, page),
  }),
  create(users, {
    summary: 'Signs up a user.',
    access: anyone,
    rate: 'writes',
    body: NewUser,
    problems: ['4031', '4092'],
    prepareBody,
    handle: async (ctx, { body }) => created(await createUser(ctx, describeUser(body))),
  }),
]

const itemRoutes = (
  { user }: Resources,
  prepareBody: ReturnType<typeof provingBy>,
  personalDataDeclarations: readonly PersonalData[],
) => {
  const write = { access: own('users:write'), rate: 'writes' } as const
  const change = { ...write, problems: ['4001', '4031', '4092', '4291'], prepareBody } as const
  return [
    read(user, {
      summary: 'Reads a user.',
      access: own('users:read'),
      rate: 'reads',
      cache: personal,
    }),
    replace(user, {
      summary: 'Replaces a user; username, password, role and status stay where not sent.',
      ...change,
      body: UserBody,
      handle: (ctx, { current, body }) => {
        requireCurrentPassword(ctx.actor, current, body)
        return saveUser(ctx, current, replaceUser(current, body))
      },
    }),
    modify(user, {
      summary: 'Changes some fields of a user.',
      ...change,
      body: UserPatch,
      handle: (ctx, { current, body }) => {
        requireCurrentPassword(ctx.actor, current, body)
        return saveUser(ctx, current, reviseUser(current, body))
      },
    }),
    remove(user, {
      summary: 'Removes a user and what is personal; orders stay, anonymised.',
      ...write,
      problems: ['4091'],
      handle: async ({ db, auditActor }, { current }) => {
        await requireAnotherAdmin(db, current)
        await eraseUser(db, personalDataDeclarations, current, auditActor())
      },
    }),
  ]
}
