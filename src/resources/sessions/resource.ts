import { hash } from 'node:crypto'
import { singleton } from '#kernel/noun.ts'
import { open } from '#kernel/policy.ts'
import { create, merged } from '#kernel/verb.ts'
import { type Begun, type Doorkeeper, renew, signIn } from './acts.ts'
import { proofOf } from './rules.ts'
import { Login, Session } from './schema.ts'

const session = singleton({
  name: 'session',
  description: 'The tokens of a user who has signed in.',
  path: '/login',
  schema: Session,
  load: async (): Promise<Begun | undefined> => undefined,
  locate: () => ({}),
  revision: ({ token }) => hash('sha1', token, 'base64url'),
  present: ({ token, expiresInSeconds, refreshToken }) => ({
    token,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
  }),
  links: {
    self: { to: 'session', verb: 'create' },
    profile: { to: 'profile' },
  },
})

/** Signing in, by password or by refresh token. */
export const sessionRoutes = (doorkeeper: Doorkeeper) => [
  create(session, {
    summary: 'Signs in, or renews the token of who has.',
    access: open,
    rate: 'credentials',
    body: Login,
    statuses: [200],
    transactions: 'own',
    keepsAnswers: false,
    claimant: ({ username, refresh_token }) => refresh_token ?? username ?? '',
    refusals: ['4001', '4012', '4032', '4091'],
    handle: async (ctx, { body }) => {
      const proof = proofOf(body)
      return merged(
        proof.kind === 'password'
          ? await signIn(doorkeeper, ctx, proof)
          : await renew(doorkeeper, ctx, proof.secret),
      )
    },
  }),
]
