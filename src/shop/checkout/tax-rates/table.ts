import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `tax_rates`. */
export type TaxRateRow = Selectable<Tables['tax_rates']>
