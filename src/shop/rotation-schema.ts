import { type TProperties, Type } from 'typebox'

/**
 * Creates the body schema of a secret rotation, with `further` fields; `secretName` is `key` or
 * `secret`.
 */
export const rotationSchema = <P extends TProperties = Record<never, never>>(
  secretName: string,
  further: P = {} as P,
) =>
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
      ...further,
    },
    { additionalProperties: false },
  )
