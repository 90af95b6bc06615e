import { Type } from 'typebox'
import { Id, Moment, nullable, oneOf, stamps, type ValueOf } from '#http/declare/schema.ts'
import { maxSessionDays } from '#values/session-lifetime.ts'

/** Somewhere that a user is signed in. */
export const Session = Type.Object({
  id: Id('Identifies the session; the `sid` of its tokens.'),
  user_id: Id('Who is signed in.'),
  kind: oneOf(['token', 'browser'], {
    description:
      '`token` for a sign-in at /login, `browser` for one on the pages of OAuth, which a cookie carries.',
    examples: ['token'],
  }),
  address: nullable(
    Type.String({
      description: 'The network address it was begun or renewed from last; null where not known.',
      examples: ['203.0.113.7'],
    }),
  ),
  is_current: Type.Boolean({ description: 'True for the session of the token that asks.' }),
  expires_at: Moment({
    description: `Until when it goes on if it is not prolonged; ${maxSessionDays} days after it began at the latest.`,
  }),
  ...stamps,
})

/** What sessions can be filtered by. */
export const SessionFilters = Type.Object({
  user_id: Type.Optional(Id('Whose sessions; another user’s for administrators alone.')),
})

/** What a user calls with after signing in. */
export const Tokens = Type.Object({
  token: Type.String({
    description: 'The access token, a JWT (RFC 7519).',
    examples: ['eyJhbGciOiJIUzI1NiJ9…'],
  }),
  token_type: Type.Literal('Bearer', { description: 'How to send the token (RFC 6750).' }),
  expires_in: Type.Integer({ description: 'Seconds until the token expires.', examples: [900] }),
  refresh_token: Type.String({
    description: `Gets a new token, once, within 30 days, and within ${maxSessionDays} days of signing in.`,
    examples: ['kq3WbX0cQy…'],
  }),
})

/** What signs in: a username and password, or a refresh token in their place. */
export const Login = Type.Object(
  {
    username: Type.Optional(
      Type.String({ description: 'Or the email; in any case.', examples: ['ada'] }),
    ),
    password: Type.Optional(
      Type.String({
        writeOnly: true,
        description: 'The password of the account.',
        examples: ['correct horse battery staple'],
      }),
    ),
    refresh_token: Type.Optional(
      Type.String({
        writeOnly: true,
        description: 'In place of username and password.',
        examples: ['kq3WbX0cQy…'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type Login = ValueOf<typeof Login>
