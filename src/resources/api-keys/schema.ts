import { Type } from 'typebox'
import { scopes } from '#http/declare/caller.ts'
import {
  Id,
  Moment,
  nullable,
  oneOf,
  shownOnce,
  stamps,
  type ValueOf,
  writable,
} from '#http/declare/schema.ts'

const scopeWord = oneOf(scopes, { description: 'An act that the key may be used for.' })
const listOf = (what: string, example: string, told: string) =>
  nullable(
    Type.Array(Type.String({ maxLength: 255, description: what, examples: [example] }), {
      minItems: 1,
      maxItems: 50,
      description: told,
    }),
  )

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'What the key is for, in words of its owner.',
    examples: ['Warehouse scanner'],
  }),
  scopes: Type.Array(scopeWord, {
    maxItems: scopes.length,
    description: 'What the key may be used for; all that its maker may do by default.',
    examples: [['orders:read']],
  }),
  expires_at: nullable(
    Moment({
      description: 'From when on the key is no longer taken; never by default.',
      examples: ['2036-01-31T12:00:00.000Z'],
    }),
  ),
  allowed_addresses: listOf(
    'An address, or a network in CIDR notation.',
    '127.0.0.0/8',
    'Where the key is taken from; anywhere by default.',
  ),
  allowed_origins: listOf(
    'An origin, as browsers send it (RFC 6454).',
    'https://shop.example.com',
    'Whose pages may use the key; anybody by default.',
  ),
}

/** A secret by which a program calls in the name of a user. */
export const ApiKey = Type.Object({
  id: Id('Identifies the key.'),
  user_id: Id('In whose name the key is used.'),
  ...fields,
  prefix: Type.String({
    description: 'How the key begins, to tell it from others.',
    examples: ['cw_Vb3xW0cQ'],
  }),
  last_used_at: nullable(
    Moment({ description: 'When the key was last used, to the minute or so; null for never.' }),
  ),
  key: Type.Optional(
    shownOnce(
      Type.String({
        description:
          'The key itself: only in the first answer to the request that made it, never in a replay.',
        examples: ['cw_Vb3xW0cQyUo1F6mJZ2rTn8sKp4dHg7lEa5iXvBwDqSM'],
      }),
    ),
  ),
  ...stamps,
})

/** A new key, as POST takes it. */
export const ApiKeyBody = writable(
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

/** How a secret is replaced by another, which may be taken beside it for a while. */
export const rotationOf = (what: string) =>
  Type.Object(
    {
      grace_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_592_000,
          default: 0,
          description: `For how long the ${what} that is replaced is still taken.`,
          examples: [3600],
        }),
      ),
    },
    { additionalProperties: false },
  )

/** How a key is replaced by another. */
export const Rotation = rotationOf('key')

/** What keys can be filtered by. */
export const ApiKeyFilters = Type.Object({
  user_id: Type.Optional(Id('Only keys of this user; for administrators.')),
})
export type ApiKeyFilters = ValueOf<typeof ApiKeyFilters>
