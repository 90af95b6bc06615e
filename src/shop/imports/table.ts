import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `operations`. */
export type OperationRow = Selectable<Tables['operations']>

/** A row of the table `operation_errors`. */
export type OperationErrorRow = Selectable<Tables['operation_errors']>
