import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A row of the table `tax_rates`. */
export type TaxRateRow = Selectable<Tables['tax_rates']>
