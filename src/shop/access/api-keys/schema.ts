import { type TSchemaOptions, Type } from 'typebox'
import {
  DateTime,
  Id,
  mergePatch,
  nullable,
  requestBody,
  shownOnce,
  stringEnum,
  timestamps,
  type ValueOf,
} from '#schema/words.ts'
import { CurrentPassword, freshHint } from '#shop/accounts/users/schema.ts'
import { rotationSchema } from '#shop/rotation-schema.ts'
import { scopes } from '#shop/scopes.ts'

const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = `(${octet}\\.){3}${octet}(/(3[0-2]|[12]?\\d))?`
const ipv6 = '[\\dA-Fa-f:.]*:[\\dA-Fa-f:.]*(/(12[0-8]|1[01]\\d|[1-9]?\\d))?'
const networkPattern = `^(${ipv4}|${ipv6})$`
const originPattern = '^https?://[a-z\\d]([a-z\\d.-]*[a-z\\d])?(:[1-5]?\\d{1,4})?$'

const upTo3600 = '([1-9]\\d{0,2}|[12]\\d{3}|3[0-5]\\d\\d|3600)'
const window = `(${upTo3600}s|([1-9]|[1-5]\\d|60)m|1h)`
const rateLimitPattern = `^(([1-9]\\d{0,8}|10{9})/${window}|off)$`

const scope = stringEnum(scopes, {
  component: 'Scope',
  description: 'An operation that the key allows.',
})
const listOf = (item: TSchemaOptions, description: string) =>
  nullable(
    Type.Array(Type.String({ maxLength: 255, ...item }), {
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
    {
      documented: { format: 'ip-network', pattern: networkPattern },
      description: 'An address, or a network in CIDR notation.',
      examples: ['127.0.0.0/8'],
    },
    'The client addresses the key is accepted from; any by default.',
  ),
  allowed_origins: listOf(
    {
      documented: { format: 'origin', pattern: originPattern },
      description: 'An origin, as browsers send it (RFC 6454).',
      examples: ['https://shop.example.com'],
    },
    'The origins the key is accepted from; any by default. Pages there need the setting CORS_ORIGINS, too.',
  ),
  rate_limit: nullable(
    Type.String({
      maxLength: 20,
      documented: { format: 'rate-limit', pattern: rateLimitPattern },
      description:
        'Replaces the default rate limit, for each endpoint: requests per time of at most an hour, or off. Only administrators set it.',
      examples: ['1000/60s'],
    }),
  ),
}

/** A secret with which a program acts as a user. */
export const ApiKey = Type.Object({
  id: Id(),
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
    rate_limit: Type.Optional(fields.rate_limit),
    current_password: CurrentPassword(freshHint),
  },
  ApiKey,
)
export type ApiKeyBody = ValueOf<typeof ApiKeyBody>

/** The body of PATCH. */
export const ApiKeyPatch = mergePatch(
  requestBody({ name: fields.name, rate_limit: fields.rate_limit }, ApiKey),
)
export type ApiKeyPatch = ValueOf<typeof ApiKeyPatch>

/** The body of a key rotation. */
export const Rotation = rotationSchema('key', { current_password: CurrentPassword(freshHint) })

/** The filters of the list of keys. */
export const ApiKeyFilters = Type.Object({
  user_id: Type.Optional(
    Id('The user whose keys are listed; another user only for administrators.'),
  ),
})
export type ApiKeyFilters = ValueOf<typeof ApiKeyFilters>
