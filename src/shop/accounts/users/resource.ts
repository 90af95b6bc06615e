import type { Actor } from '#http/declare/actor.ts'
import type { Context } from '#http/declare/context.ts'
import { requireFreshSignIn, requireFullSignIn } from '#http/declare/permissions.ts'
import { adminOnly, optionalAuthentication, privateCache } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { accepted, created } from '#http/declare/results.ts'
import { create, list, modify, read, remove, replace } from '#http/declare/route.ts'
import { languageOf } from '#http/message/language.ts'
import { type ErasureParts, scheduleErasure } from '#shop/accounts/erasures/actions.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import type { Scope } from '#shop/scopes.ts'
import { userInPathOrAdmin } from './access.ts'
import {
  createUser,
  eraseUser,
  requireAnotherAdmin,
  saveUser,
  type userDataInclude,
} from './actions.ts'
import { listUsers } from './list-store.ts'
import { type NewPasswordParts, preparePassword } from './new-password.ts'
import { registerLink } from './register-link.ts'
import {
  createUserState,
  patchUserState,
  presentUser,
  replaceUserState,
  requireCurrentPassword,
  type UserState,
} from './rules.ts'
import { NewUser, User, UserBody, UserFilters, UserPatch } from './schema.ts'
import * as store from './store.ts'
import type { UserRow } from './table.ts'

/** True for a new account: of a caller without credentials, or of the guest that it was. */
const mustLogIn = ({ role }: UserRow, { actor }: Context): boolean =>
  actor.role === null || (actor.role === 'guest' && role !== 'guest')

const userItem = (data: UserDataInclude) =>
  item({
    name: 'user',
    description: 'A user of the shop.',
    path: '/users/:id',
    schema: User,
    load: ({ db }, { id }) => store.findUser(db, id),
    isGone: ({ deleted_at }) => deleted_at !== null,
    pathParams: ({ id }) => ({ id }),
    revision: ({ revision }) => revision,
    changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
    owner: ({ id }) => id,
    present: presentUser,
    computedIncludes: { data },
    links: {
      login: { to: 'login', operation: 'create', when: mustLogIn },
      orders: { to: 'user_orders' },
      cart: { to: 'cart' },
      addresses: { to: 'addresses' },
      api_keys: {
        to: 'api_keys',
        query: ({ id }) => `?user_id=${id}`,
        when: (_, { actor }) => actor.role !== null,
      },
      register: registerLink,
      confirm_email: {
        to: 'email_confirmation_request',
        operation: 'create',
        when: ({ role, email, email_verified }) =>
          role !== 'guest' && email !== null && email_verified === 0,
        body: () => ({}),
      },
      edit: { to: 'user', operation: 'replace' },
      delete: {
        to: 'user',
        operation: 'remove',
        when: (user, { actor }) => actor.isFullSignIn || !isOtherAdmin(user, actor),
      },
      erasure: {
        to: 'erasure',
        operation: 'create',
        when: ({ id }, { actor }) => actor.userId === id,
      },
    },
  })

/** True for an administrator other than the caller: only a full sign-in suspends or removes one. */
const isOtherAdmin = ({ id, role }: UserRow, { userId }: Actor): boolean =>
  role === 'admin' && id !== userId

type UserDataInclude = ReturnType<typeof userDataInclude>
type Resources = ReturnType<typeof userResources>

function userResources(data: UserDataInclude) {
  const user = userItem(data)
  return { user, users: collection({ name: 'users', path: '/users', item: user }) }
}

// `load` already answers 404 or 410, so no second query checks that the user exists.
const own = (scope: Scope) => ({
  ...userInPathOrAdmin(scope),
  presence: async () => 'present' as const,
})

type UserParts = NewPasswordParts & ErasureParts & Pick<RecoveryParts, 'recoveries'>

/** Hashes a new password, once `change` and the other rules allow it. */
const newPassword =
  <B extends UserPatch>(parts: NewPasswordParts, change: typeof patchUserState) =>
  async (body: B, ctx: Context, { id = 0 }: Readonly<Record<string, number>>) => {
    const { password } = body
    const user = password === undefined ? undefined : await store.findUser(ctx.db, id)
    // Without a user, the response is 404 or 410.
    if (password === undefined || !user || user.deleted_at !== null) return undefined
    requireFullSignIn(ctx.actor)
    requireCurrentPassword(ctx, user, body)
    requireFreshSignIn(ctx)
    return preparePassword(parts, ctx, password, (standIn) =>
      store.requireChangedUnique(ctx.db, user, change(user, body, standIn), ctx.now),
    )
  }

/** Saves the state that a caller gave a user; a new role ends the credentials made in the former one. */
const saveChange =
  ({ recoveries }: UserParts) =>
  async (ctx: Context, user: UserRow, body: UserPatch, state: UserState): Promise<UserRow> => {
    requireCurrentPassword(ctx, user, body)
    const endsOthers = user.id !== ctx.actor.userId || body.end_others !== false
    const saved = await saveUser(ctx, user, state, { endsOthers })
    if (saved.role !== user.role) {
      const ending = recoveries.filter(({ endsWithRole }) => endsWithRole)
      for (const { end } of ending) await end(ctx.db, user.id, ctx.auditActor())
    }
    return saved
  }

/** The routes of users: sign-up, the own account, and administration by administrators. */
export const userRoutes = (parts: UserParts, data: UserDataInclude) => {
  const resources = userResources(data)
  return [...collectionRoutes(resources, parts), ...itemRoutes(resources, parts)]
}

const collectionRoutes = ({ users }: Resources, parts: NewPasswordParts) => [
  list(users, {
    summary: 'Lists the users.',
    access: adminOnly('users:read'),
    rateLimit: 'default',
    cache: privateCache,
    filters: UserFilters,
    sortFields: ['id', 'name', 'email', 'age'],
    find: ({ db }, { filters, page }) => listUsers(db, filters, page),
  }),
  create(users, {
    operationId: 'signUp',
    summary: 'Signs up a user.',
    access: optionalAuthentication,
    rateLimit: 'default',
    body: NewUser,
    problems: ['4031', '4092', '4291'],
    prepare: async (body, ctx) =>
      body.password === undefined
        ? undefined
        : preparePassword(parts, ctx, body.password, (standIn) =>
            store.requireUnique(ctx.db, 0, createUserState(body, standIn), ctx.now),
          ),
    handle: async (ctx, { body, prepared, raw }) => {
      const language = languageOf(raw.header('accept-language'))
      return created(await createUser(ctx, createUserState({ language, ...body }, prepared)))
    },
  }),
]

const itemRoutes = ({ user }: Resources, parts: UserParts) => {
  const save = saveChange(parts)
  const write = { access: own('users:write'), rateLimit: 'default' } as const
  const change = {
    ...write,
    passwordFields: ['current_password'],
    problems: ['4001', '4031', '4092', '4291'],
  } as const
  return [
    read(user, {
      summary: 'Reads a user.',
      access: own('users:read'),
      rateLimit: 'default',
      cache: privateCache,
    }),
    replace(user, {
      summary: 'Replaces a user; absent username, password, role, status and language stay.',
      ...change,
      body: UserBody,
      prepare: newPassword<UserBody>(parts, (state, body, password) =>
        replaceUserState(state, body as UserBody, password),
      ),
      handle: (ctx, { current, body, prepared }) =>
        save(ctx, current, body, replaceUserState(current, body, prepared)),
    }),
    modify(user, {
      summary: 'Changes some fields of a user.',
      description: 'A guest who gets a password is a customer; the tokens of the guest end.',
      ...change,
      body: UserPatch,
      prepare: newPassword<UserPatch>(parts, patchUserState),
      handle: (ctx, { current, body, prepared }) =>
        save(ctx, current, body, patchUserState(current, body, prepared)),
    }),
    remove(user, {
      summary: 'Removes a user and all personal data; orders stay, anonymised.',
      description:
        'An API key or a token of an application only requests the erasure, as `POST /user/delete` does: 202.',
      ...write,
      needsFreshSignIn: () => true,
      acceptedAs: 'erasure',
      problems: ['4091'],
      handle: async (ctx, { current }) => {
        const { db, actor, auditActor } = ctx
        if (isOtherAdmin(current, actor)) requireFullSignIn(actor)
        if (actor.credential?.authority !== 'password') {
          return accepted(await scheduleErasure(parts, ctx, current))
        }
        await requireAnotherAdmin(db, current)
        await eraseUser(db, parts.personalDataDeclarations, current, auditActor())
        return undefined
      },
    }),
  ]
}
