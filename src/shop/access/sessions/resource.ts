import { hash } from 'node:crypto'
import type { Context } from '#http/declare/context.ts'
import {
  anyUser,
  noAuthentication,
  ownerOrAdmin,
  ownerOrFullySignedInAdmin,
  privateCache,
} from '#http/declare/policy.ts'
import { collection, item, singleton } from '#http/declare/resource.ts'
import { ok } from '#http/declare/results.ts'
import { create, list, read, remove } from '#http/declare/route.ts'
import { visibleUserId } from '#shop/accounts/users/access.ts'
import { renew, type SignInParts, signIn, signOut } from './actions.ts'
import { parseCredentials, presentSession } from './rules.ts'
import { Login, Session, SessionFilters, Tokens } from './schema.ts'
import { actorOf, presentTokens, type StartedSession } from './start.ts'
import * as store from './store.ts'
import type { SessionRow } from './table.ts'

const sessionParams = ({ sessionId }: StartedSession) => ({ sessionId })

const login = singleton({
  name: 'login',
  description: 'The tokens of a signed-in user.',
  path: '/login',
  schema: Tokens,
  load: async (): Promise<StartedSession | undefined> => undefined,
  pathParams: () => ({}),
  revision: ({ token }) => hash('sha1', token, 'base64url'),
  owner: ({ user }) => user.id,
  signedInActor: actorOf,
  present: presentTokens,
  links: {
    self: { to: 'login', operation: 'create' },
    profile: { to: 'profile' },
    session: { to: 'session', params: sessionParams },
    logout: { to: 'session', operation: 'remove', params: sessionParams },
  },
})

const isCurrent = ({ id }: SessionRow, { actor }: Context): boolean =>
  actor.credential?.sessionId === id

const session = item({
  name: 'session',
  description: 'A sign-in of a user; removing it signs out.',
  path: '/sessions/:sessionId',
  schema: Session,
  load: ({ db }, { sessionId }): Promise<SessionRow | undefined> =>
    store.findSession(db, sessionId),
  isGone: ({ ended_at }) => ended_at !== null,
  pathParams: ({ id }) => ({ sessionId: id }),
  revision: (row, ctx) => `${row.revision}${isCurrent(row, ctx) ? '.current' : ''}`,
  changedAt: ({ created_at, updated_at }) => [created_at, updated_at],
  owner: ({ user_id }) => user_id,
  present: (row, ctx) => ({ ...presentSession(row), is_current: isCurrent(row, ctx) }),
  links: {
    user: { to: 'user', params: ({ user_id }) => ({ id: user_id }) },
    delete: { to: 'session', operation: 'remove' },
  },
})
const sessions = collection({ name: 'sessions', path: '/sessions', item: session })

/** The routes that sign in, renew tokens, list sessions and sign out. */
export const sessionRoutes = (parts: SignInParts) => [loginRoute(parts), ...ownRoutes()]

const loginRoute = (parts: SignInParts) =>
  create(login, {
    operationId: 'logIn',
    summary: 'Signs in, or renews the tokens of a session.',
    access: noAuthentication,
    rateLimit: 'credentials',
    body: Login,
    statuses: [200],
    transactions: 'own',
    acceptsIdempotencyKey: false,
    loginName: ({ username, refresh_token }) => refresh_token ?? username ?? '',
    problems: ['4001', '4012', '4032', '4091'],
    handle: async (ctx, { body }) => {
      const credentials = parseCredentials(body)
      return ok(
        credentials.kind === 'password'
          ? await signIn(parts, ctx, credentials)
          : await renew(parts, ctx, credentials),
      )
    },
  })

const ownRoutes = () => [
  list(sessions, {
    summary: 'Lists the sessions of the caller or, for administrators, of another user.',
    access: anyUser('users:read'),
    rateLimit: 'default',
    cache: privateCache,
    filters: SessionFilters,
    sortFields: ['id'],
    problems: ['4031'],
    find: ({ db, actor }, { filters, page }) => {
      const userId = visibleUserId(actor, filters.user_id) ?? actor.userId ?? 0
      return store.listSessions(db, userId, page)
    },
  }),
  read(session, {
    summary: 'Reads a session.',
    access: ownerOrAdmin(session, 'users:read'),
    rateLimit: 'default',
    cache: privateCache,
  }),
  remove(session, {
    operationId: 'endSession',
    summary:
      'Signs out: ends a session; its tokens or cookie are rejected from the next request on.',
    access: ownerOrFullySignedInAdmin(session, 'users:write'),
    rateLimit: 'default',
    handle: (ctx, { current }) => signOut(ctx, current),
  }),
]
