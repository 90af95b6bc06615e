/** The query parameters of a collection that are no filters. */
export const notFilters = new Set([
  'page',
  'limit',
  'sort',
  'order',
  'cursor',
  'include',
  'facets',
  'version',
])
