import { hash } from 'node:crypto'
import { noAuthentication } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { created } from '#http/declare/results.ts'
import { create } from '#http/declare/route.ts'
import { languageOf } from '#http/message/language.ts'
import { actorOf, presentTokens } from '#shop/access/sessions/start.ts'
import type { Tokens } from '#shop/access/tokens/access-tokens.ts'
import { createGuest, type StartedGuest } from './actions.ts'
import { Guest, GuestBody } from './schema.ts'

const sessionParams = ({ sessionId }: StartedGuest) => ({ sessionId })

/** The tokens of a new guest; the guest is a user, at the address of one. */
const guest = item({
  name: 'guest',
  description: 'The tokens of a new guest.',
  path: '/users/:id',
  schema: Guest,
  load: async (): Promise<StartedGuest | undefined> => undefined,
  pathParams: ({ user }) => ({ id: user.id }),
  revision: ({ token }) => hash('sha1', token, 'base64url'),
  owner: ({ user }) => user.id,
  signedInActor: actorOf,
  present: presentTokens,
  embeds: { user: { resource: 'user', many: false, of: (started) => started.guest } },
  links: {
    profile: { to: 'profile' },
    cart: { to: 'cart' },
    session: { to: 'session', params: sessionParams },
    logout: { to: 'session', operation: 'remove', params: sessionParams },
  },
})

const guests = collection({ name: 'guests', path: '/guests', item: guest })

/** The route by which anyone becomes a guest. */
export const guestRoutes = (tokens: Tokens) => [
  create(guests, {
    operationId: 'startAsGuest',
    summary: 'Makes a guest, who may buy without an account, and signs in as the guest.',
    description:
      'The link `register` of the guest makes an account of it; `guest_token` at `POST /login` moves cart and orders into another account.',
    access: noAuthentication,
    rateLimit: 'default',
    acceptsIdempotencyKey: false,
    body: GuestBody,
    handle: async (ctx, { body, raw }) => {
      const language = languageOf(raw.header('accept-language'))
      return created(await createGuest(tokens, ctx, { ...body, language }))
    },
  }),
]
