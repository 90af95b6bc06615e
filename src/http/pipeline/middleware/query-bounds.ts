import type { Route } from '#http/declare/route.ts'
import { createMessage } from '#i18n/message.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'

/** The maximum number of parameters of a query; each repetition counts. */
export const maxParameters = 50

/** Throws 400/4003 for a query of more than 50 parameters. */
export function requireFewParameters(query: Readonly<Record<string, unknown>>): void {
  const values = Object.values(query)
  const count = values.reduce(
    (sum: number, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  )
  if (count <= maxParameters) return
  const message = createMessage('field.max_items', { limit: maxParameters })
  throw fieldProblem([{ field: 'query', message }], '4003')
}

/** Returns the declared maximum of a repeatable parameter; throws a TypeError if there is none. */
export function declaredMaximum(route: Route, name: string, maximum: number | undefined): number {
  if (maximum !== undefined) return maximum
  throw new TypeError(`${route.method} ${route.path}: the parameter ${name} has no maximum`)
}

/** Adds an issue for more parameters than `maximum` whose names are of a pattern. */
export function limitNames(
  prefix: string,
  count: number,
  maximum: number,
  issues: FieldIssue[],
): void {
  if (count <= maximum) return
  issues.push({
    field: `${prefix}.*`,
    message: createMessage('field.max_items', { limit: maximum }),
  })
}
