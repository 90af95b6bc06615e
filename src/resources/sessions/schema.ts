import { Type } from 'typebox'
import type { ValueOf } from '#kernel/schema.ts'

/** What a user calls with after signing in. */
export const Session = Type.Object({
  token: Type.String({
    description: 'The access token, a JWT (RFC 7519).',
    examples: ['eyJhbGciOiJIUzI1NiJ9…'],
  }),
  token_type: Type.Literal('Bearer', { description: 'How to send the token (RFC 6750).' }),
  expires_in: Type.Integer({ description: 'Seconds until the token expires.', examples: [900] }),
  refresh_token: Type.String({
    description: 'Gets a new token, once, within 30 days.',
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
