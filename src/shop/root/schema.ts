import { Type } from 'typebox'

/** The root of the API. */
export const Root = Type.Object({
  name: Type.String({ description: 'The name of the server.', examples: ['cartwright'] }),
  version: Type.String({ description: 'The release of the server.', examples: ['0.1.0'] }),
  api_versions: Type.Array(Type.Integer(), {
    description: 'The API versions that the server supports.',
  }),
  currency: Type.String({
    description: 'The currency of all amounts (ISO 4217).',
    examples: ['USD'],
  }),
  currency_digits: Type.Integer({
    description: 'The number of decimals of an amount.',
    examples: [2],
  }),
  time_zone: Type.String({
    description: 'The time zone of dates that people read (IANA). Times in the API are in UTC.',
    examples: ['Europe/Berlin'],
  }),
})
