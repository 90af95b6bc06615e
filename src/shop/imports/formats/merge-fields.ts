import { isObject } from '../file/columns.ts'
import type { Fields } from './format.ts'

/** Joins what two columns give: lists and members of both; else what the later one has. */
export const mergeFields = (before: Fields, added: Fields): Fields => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(added).map(([name, value]) => {
      const former = before[name]
      if (Array.isArray(former) && Array.isArray(value)) return [name, [...former, ...value]]
      return [name, isObject(former) && isObject(value) ? { ...former, ...value } : value]
    }),
  ),
})
