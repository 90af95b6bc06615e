import { entityEvents } from '#shop/events/entity-events.ts'
import { presentOperation } from './rules.ts'
import { Operation } from './schema.ts'
import type { OperationRow } from './table.ts'

/** Creates an event about an operation. */
export const operationEvent = entityEvents<OperationRow, 'import.completed'>({
  schema: Operation,
  present: (operation) => presentOperation(operation),
  subject: ({ id }) => `/operations/${id}`,
})
