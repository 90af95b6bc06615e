/**
 * The maximum number of rows of a table that a job deletes at once, which bounds how long it holds
 * locks. A job that deletes as many runs again.
 */
export const deletionBatchSize = 100
