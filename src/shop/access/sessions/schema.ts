import { Type } from 'typebox'
import {
  DateTime,
  Id,
  nullable,
  oneOfGroups,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { maxSessionDays } from '#values/session-lifetime.ts'

/** A sign-in of a user. */
export const Session = Type.Object({
  id: Id('The ID of the session; the `sid` of its tokens.'),
  user_id: Id('The ID of the user who is signed in.'),
  kind: stringEnum(['token', 'browser'], {
    description:
      '`token` for a sign-in at /login, `browser` for one on the OAuth pages, held in a cookie.',
    examples: ['token'],
  }),
  address: nullable(
    Type.String({
      description: 'The client address at the last sign-in or renewal; null when unknown.',
      examples: ['203.0.113.7'],
    }),
  ),
  is_current: Type.Boolean({ description: 'True for the session of the token in this request.' }),
  expires_at: DateTime({
    description: `When it ends unless renewed; at most ${maxSessionDays} days after sign-in.`,
  }),
  ...timestamps,
})

/** The filters of the list of sessions. */
export const SessionFilters = Type.Object({
  user_id: Type.Optional(
    Id('The user whose sessions are listed; another user only for administrators.'),
  ),
})

/** The response to a sign-in: an access token and a refresh token. */
export const Tokens = Type.Object({
  token: Type.String({
    description: 'The access token, a JWT (RFC 7519).',
    examples: ['eyJhbGciOiJIUzI1NiJ9…'],
  }),
  token_type: Type.Literal('Bearer', { description: 'How to send the token (RFC 6750).' }),
  expires_in: Type.Integer({ description: 'Seconds until the token expires.', examples: [900] }),
  refresh_token: Type.String({
    description: `Renews the tokens once, within 30 days, and within ${maxSessionDays} days of sign-in.`,
    examples: ['kq3WbX0cQy…'],
  }),
})

/** The body of POST /login: a username and a password, or a refresh token; and perhaps a guest to merge. */
export const Login = oneOfGroups(
  {
    username: Type.Optional(
      Type.String({
        maxLength: 320,
        description: 'The username or the email; case is ignored.',
        examples: ['ada'],
      }),
    ),
    password: Type.Optional(
      Type.String({
        writeOnly: true,
        maxLength: 1000,
        description: 'The password of the account.',
        examples: ['correct horse battery staple'],
      }),
    ),
    refresh_token: Type.Optional(
      Type.String({
        writeOnly: true,
        maxLength: 1000,
        description: 'The refresh token of the last sign-in or renewal.',
        examples: ['kq3WbX0cQy…'],
      }),
    ),
    guest_token: Type.Optional(
      Type.String({
        writeOnly: true,
        maxLength: 4096,
        description:
          'The access or refresh token of a guest, whose cart, orders and addresses move to the account.',
        examples: ['eyJhbGciOiJIUzI1NiJ9…'],
      }),
    ),
  },
  [
    {
      name: 'PasswordLogin',
      description: 'Signs in with a password.',
      properties: ['username', 'password'],
      optional: ['guest_token'],
    },
    {
      name: 'TokenRenewal',
      description: 'Renews the tokens of a session.',
      properties: ['refresh_token'],
      optional: ['guest_token'],
    },
  ],
)
export type Login = ValueOf<typeof Login>
