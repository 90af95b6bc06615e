import { Type } from 'typebox'
import { DateTime, Id, nullable, stringEnum, timestamps, type ValueOf } from '#schema/words.ts'
import { auditActions } from '#values/audit.ts'

const action = stringEnum(auditActions, {
  component: { name: 'AuditAction', description: 'An operation on an account or a credential.' },
  description: 'The operation.',
  examples: ['signed_in'],
})

const optionalText = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }))

const Details = Type.Object(
  {
    from: optionalText('The previous role or status.', 'customer'),
    to: optionalText('The new role or status.', 'admin'),
    id: Type.Optional(Id('The ID of the API key, the session or the guest.')),
    oauth_client: Type.Optional(Id('The ID of the OAuth client, at /oauth-clients.')),
    webhook: Type.Optional(Id()),
    client_id: optionalText('The OAuth client identifier.', 'c_4fQ2m9'),
    scope: optionalText('The scopes of the OAuth client or of the grant.', 'openid orders:read'),
  },
  { description: 'Details of the operation.', examples: [{ from: 'customer', to: 'admin' }] },
)

/** An operation on an account or a credential. */
export const AuditEvent = Type.Object({
  id: Id(),
  action,
  actor_id: nullable(
    Id('The user who did it; null for an anonymous caller and for the server itself.'),
  ),
  subject_id: nullable(Id('The user whose account it concerns; null when the name is unknown.')),
  address: nullable(
    Type.String({ description: 'The network address of the client.', examples: ['203.0.113.7'] }),
  ),
  credential: nullable(
    Type.String({
      description:
        'How the caller authenticated: password, refresh_token or a scheme; command for a command of the operator.',
      examples: ['password'],
    }),
  ),
  request_id: nullable(
    Type.String({
      description: 'The ID of the request, as in its log line.',
      examples: ['b7c1f0de-6a0f-4d57-9b0c-0f8f3a1d2c4e'],
    }),
  ),
  details: nullable(Details),
  at: DateTime({ description: 'When it happened.' }),
  ...timestamps,
})

/** The filters of the list of events. */
export const AuditEventFilters = Type.Object({
  action: Type.Optional(action),
  actor_id: Type.Optional(Id('Only events by this user.')),
  subject_id: Type.Optional(Id('Only events about the account of this user.')),
  address: Type.Optional(Type.String({ description: 'Only events from this network address.' })),
  request_id: Type.Optional(Type.String({ description: 'Only events of this request.' })),
  since: Type.Optional(DateTime({ description: 'Only events at this time or later.' })),
  until: Type.Optional(DateTime({ description: 'Only events before this time.' })),
})
export type AuditEventFilters = ValueOf<typeof AuditEventFilters>
