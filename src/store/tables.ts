/**
 * The columns of every table, for queries by Kysely. A declaration adds its own:
 * `declare module '#store/tables.ts' { interface Tables { notes: ColumnsOf<typeof notes> } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declarations merge into it
export interface Tables {}
