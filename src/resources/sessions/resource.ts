import { hash } from 'node:crypto'
import { type Actor, scopesOf } from '#http/declare/caller.ts'
import type { Context } from '#http/declare/context.ts'
import { open, ownerOf, ownerOrSignedInAdmin, personal, signedIn } from '#http/declare/policy.ts'
import { collection, item, singleton } from '#http/declare/resource.ts'
import { create, list, merged, read, remove } from '#http/declare/route.ts'
import { buyerShownTo } from '#resources/purchases/rules.ts'
import { renew, type SignInDependencies, type StartedPayment, signIn, signOut } from './actions.ts'
import { presentSession, proofOf } from './rules.ts'
import { Login, Session, SessionFilters, Tokens } from './schema.ts'
import * as store from './store.ts'
import type { SessionRow } from './table.ts'

const callerOf = ({ user: { id, role }, sessionId }: StartedPayment): Actor => ({
  userId: id,
  role,
  scopes: new Set(scopesOf(role)),
  credential: { scheme: 'bearer', id: null, clientId: null, sessionId, authority: 'password' },
})

const sessionIn = ({ sessionId }: StartedPayment) => ({ sessionId })

const login = singleton({
  name: 'login',
  description: 'The tokens of a user who has signed in.',
  path: '/login',
  schema: Tokens,
  load: async (): Promise<StartedPayment | undefined> => undefined,
  pathParams: () => ({}),
  revision: ({ token }) => hash('sha1', token, 'base64url'),
  owner: ({ user }) => user.id,
  caller: callerOf,
  present: ({ token, expiresInSeconds, refreshToken }) => ({
    token,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
  }),
  links: {
    self: { to: 'login', operation: 'create' },
    profile: { to: 'profile' },
    session: { to: 'session', params: sessionIn },
    logout: { to: 'session', operation: 'remove', params: sessionIn },
  },
})

const isCurrent = ({ id }: SessionRow, { actor }: Context): boolean =>
  actor.credential?.sessionId === id

const session = item({
  name: 'session',
  description: 'Somewhere that a user is signed in; to remove it is to sign out there.',
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

/** Signing in, by password or by refresh token; where somebody is signed in, and signing out. */
export const sessionRoutes = (signInDependencies: SignInDependencies) => [
  loginRoute(signInDependencies),
  ...ownRoutes(),
]

const loginRoute = (signInDependencies: SignInDependencies) =>
  create(login, {
    summary: 'Signs in, or renews the token of who has.',
    access: open,
    rate: 'credentials',
    body: Login,
    statuses: [200],
    transactions: 'own',
    acceptsIdempotencyKey: false,
    loginName: ({ username, refresh_token }) => refresh_token ?? username ?? '',
    problems: ['4001', '4012', '4032', '4091'],
    handle: async (ctx, { body }) => {
      const proof = proofOf(body)
      return merged(
        proof.kind === 'password'
          ? await signIn(signInDependencies, ctx, proof)
          : await renew(signInDependencies, ctx, proof.secret),
      )
    },
  })

const ownRoutes = () => [
  list(sessions, {
    summary: 'Pages through where the caller, or for administrators another user, is signed in.',
    access: signedIn('users:read'),
    rate: 'reads',
    cache: personal,
    filters: SessionFilters,
    sorts: ['id', 'created_at', 'updated_at'],
    problems: ['4031'],
    find: ({ db, actor }, { filters, page }) => {
      const userId = buyerShownTo(actor, filters.user_id) ?? actor.userId ?? 0
      return store.listSessions(db, userId, page)
    },
  }),
  read(session, {
    summary: 'Reads a session.',
    access: ownerOf(session, 'users:read'),
    rate: 'reads',
    cache: personal,
  }),
  remove(session, {
    summary: 'Signs out: ends a session with its tokens or its cookie, from the next request on.',
    access: ownerOrSignedInAdmin(session, 'users:write'),
    rate: 'writes',
    handle: (ctx, { current }) => signOut(ctx, current),
  }),
]
