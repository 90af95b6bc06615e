import type { TProperties } from 'typebox'
import { DateTime } from '#schema/words.ts'
import type { AnyCollection } from './resource.ts'

/** The parameters that limit a time of the entities of a list. */
const parameters = {
  created_at: {
    created_since: DateTime({
      component: 'CreatedSince',
      description: 'Only entries created at this time or later.',
    }),
    created_before: DateTime({
      component: 'CreatedBefore',
      description: 'Only entries created before this time.',
    }),
  },
  updated_at: {
    updated_since: DateTime({
      component: 'UpdatedSince',
      description: 'Only entries last changed at this time or later.',
    }),
    updated_before: DateTime({
      component: 'UpdatedBefore',
      description: 'Only entries last changed before this time.',
    }),
  },
} as const

type TimeField = keyof typeof parameters

const timeFieldsOf = ({ item }: AnyCollection): readonly TimeField[] =>
  (Object.keys(parameters) as TimeField[]).filter((field) => field in item.schema.properties)

/** Adds the times that the entities of a collection have to the sort fields of its list. */
export const withTimes = (
  collection: AnyCollection,
  sortFields: readonly string[],
): readonly string[] => [...new Set([...sortFields, ...timeFieldsOf(collection)])]

/** Returns the schemas of the parameters that limit the times of the entities of a list. */
export const timeParameters = (collection: AnyCollection): TProperties =>
  Object.assign({}, ...timeFieldsOf(collection).map((field) => parameters[field]))
