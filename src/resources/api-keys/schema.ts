import { Type } from 'typebox'
import { scopes } from '#auth/scopes.ts'
import {
  DateTime,
  Id,
  nullable,
  requestBody,
  shownOnce,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#http/declare/schema.ts'

const scope = stringEnum(scopes, { description: 'An operation that the key allows.' })
const listOf = (itemDescription: string, example: string, description: string) =>
  nullable(
    Type.Array(Type.String({ maxLength: 255, description: itemDescription, examples: [example] }), {
      minItems: 1,
      maxItems: 50,
      description,
    }),
  )

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A label that the owner chooses.',
    examples: ['Warehouse scanner'],
  }),
  scopes: Type.Array(scope, {
    maxItems: scopes.length,
    description: 'What the key allows; by default, everything that the creating credential allows.',
    examples: [['orders:read']],
  }),
  expires_at: nullable(
    DateTime({
      description: 'When the key stops being accepted; never by default.',
      examples: ['2036-01-31T12:00:00.000Z'],
    }),
  ),
  allowed_addresses: listOf(
    'An address, or a network in CIDR notation.',
    '127.0.0.0/8',
    'The client addresses the key is accepted from; any by default.',
  ),
  allowed_origins: listOf(
    'An origin, as browsers send it (RFC 6454).',
    'https://shop.example.com',
    'The origins the key is accepted from; any by default.',
  ),
}

/** A secret with which a program acts as a user. */
export const ApiKey = Type.Object({
  id: Id('The ID of the key.'),
  user_id: Id('The ID of the user whom the key acts as.'),
  ...fields,
  prefix: Type.String({
    description: 'The first characters of the key, to recognize it.',
    examples: ['cw_Vb3xW0cQ'],
  }),
  last_used_at: nullable(
    DateTime({ description: 'When the key was last used, to about a minute; null if never.' }),
  ),
  key: Type.Optional(
    shownOnce(
      Type.String({
        description:
          'The key itself; only in the first response to the request that created it, never in a replay.',
        examples: ['cw_Vb3xW0cQyUo1F6mJZ2rTn8sKp4dHg7lEa5iXvBwDqSM'],
      }),
    ),
  ),
  ...timestamps,
})

/** The body of POST. */
export const ApiKeyBody = requestBody(
  {
    name: fields.name,
    scopes: Type.Optional(fields.scopes),
    expires_at: Type.Optional(fields.expires_at),
    allowed_addresses: Type.Optional(fields.allowed_addresses),
    allowed_origins: Type.Optional(fields.allowed_origins),
  },
  ApiKey,
)
export type ApiKeyBody = ValueOf<typeof ApiKeyBody>

/** Creates the body schema of a secret rotation; `secretName` is `key` or `secret`. */
export const rotationSchema = (secretName: string) =>
  Type.Object(
    {
      grace_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_592_000,
          default: 0,
          description: `How long the replaced ${secretName} stays valid.`,
          examples: [3600],
        }),
      ),
    },
    { additionalProperties: false },
  )

/** The body of a key rotation. */
export const Rotation = rotationSchema('key')

/** The filters of the list of keys. */
export const ApiKeyFilters = Type.Object({
  user_id: Type.Optional(
    Id('The user whose keys are listed; another user only for administrators.'),
  ),
})
export type ApiKeyFilters = ValueOf<typeof ApiKeyFilters>
