import { Type } from 'typebox'
import { DateTime, stringEnum, type ValueOf } from '#schema/words.ts'
import { eventTypes, typePatterns } from '#shop/events/types.ts'

/** An event, in the JSON format of CloudEvents 1.0. */
export const Event = Type.Object({
  specversion: stringEnum(['1.0'], { description: 'The version of CloudEvents.' }),
  id: Type.String({
    description: 'The ID of the event, the same wherever it is delivered.',
    examples: ['evt_01987c3e-5a40-7000-8000-00000000002a'],
  }),
  source: Type.String({
    description: 'The URL of the shop.',
    examples: ['http://localhost:3000'],
  }),
  type: stringEnum(eventTypes, { description: 'What happened.' }),
  subject: Type.String({ description: 'The path of the resource.', examples: ['/orders/42'] }),
  time: Type.String({
    format: 'date-time',
    description: 'When it happened.',
    examples: ['2026-01-31T12:00:00.000Z'],
  }),
  datacontenttype: stringEnum(['application/json'], { description: 'The type of `data`.' }),
  sequence: Type.String({
    pattern: '^\\d+$',
    description: 'A number that grows from event to event of the feed.',
    examples: ['42'],
  }),
  data: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'The resource after the change, as an administrator reads it in version 1, without links; null except IDs once its user is erased.',
      examples: [{ id: 42, status: 'paid' }],
    },
  ),
})

/** The filters of the feed. */
export const EventFilters = Type.Object({
  type: Type.Optional(
    Type.Array(stringEnum([...eventTypes, ...typePatterns]), {
      maxItems: eventTypes.length,
      description:
        'Only events of these types, separated by commas; `order.*` stands for all of orders.',
    }),
  ),
  subject: Type.Optional(
    Type.String({ description: 'Only events about the resource of this path.' }),
  ),
  since: Type.Optional(DateTime({ description: 'Only events of this time or later.' })),
})
export type EventFilters = ValueOf<typeof EventFilters>
