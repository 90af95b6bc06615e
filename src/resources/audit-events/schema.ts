import { Type } from 'typebox'
import { Id, Moment, nullable, oneOf, stamps, type ValueOf } from '#http/declare/schema.ts'
import { auditActions } from '#values/audit-action.ts'

const action = oneOf(auditActions, { description: 'What was done.', examples: ['signed_in'] })

const word = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }))

const Details = Type.Object(
  {
    from: word('What a role or status was before.', 'customer'),
    to: word('What it is since.', 'admin'),
    id: Type.Optional(Id('Identifies the API key.')),
    oauth_client: Type.Optional(Id('Identifies the OAuth client, at /oauth-clients.')),
    client_id: word('What the OAuth client calls itself by.', 'c_4fQ2m9'),
    scope: word('What the OAuth client may do, or was granted.', 'openid orders:read'),
  },
  { description: 'More about it.', examples: [{ from: 'customer', to: 'admin' }] },
)

/** That something was done to an account or a credential, by whom and from where. */
export const AuditEvent = Type.Object({
  id: Id('Identifies the event.'),
  action,
  actor_id: nullable(Id('Who did it; null for nobody known and for the server itself.')),
  subject_id: nullable(Id('Whose account it concerns; null for a name that nobody has.')),
  address: nullable(
    Type.String({ description: 'The network address it came from.', examples: ['203.0.113.7'] }),
  ),
  credential: nullable(
    Type.String({
      description:
        'What the caller proved itself with: password, refresh_token or a scheme; command for a command of the operator.',
      examples: ['password'],
    }),
  ),
  request_id: nullable(
    Type.String({
      description: 'The request it was part of, as in its log line.',
      examples: ['b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e'],
    }),
  ),
  details: nullable(Details),
  at: Moment({ description: 'When it was done.' }),
  ...stamps,
})

/** What events can be filtered by. */
export const AuditEventFilters = Type.Object({
  action: Type.Optional(action),
  actor_id: Type.Optional(Id('Only what this user did.')),
  subject_id: Type.Optional(Id('Only what concerns the account of this user.')),
  address: Type.Optional(Type.String({ description: 'Only what came from this network address.' })),
  request_id: Type.Optional(Type.String({ description: 'Only what was part of this request.' })),
  since: Type.Optional(Moment({ description: 'Only what was done then or later.' })),
  until: Type.Optional(Moment({ description: 'Only what was done before.' })),
})
export type AuditEventFilters = ValueOf<typeof AuditEventFilters>
