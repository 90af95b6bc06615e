import type { DatabaseAddress } from '#src/config/database-url.ts'
import { chargesFileOf } from '#src/server/startup/payment-provider.ts'
import { secretKeyFileOf } from '#src/server/startup/secret-key.ts'
import type { PartName } from './manifest.ts'

/** Where the files of a shop are; undefined for what it keeps in no file. */
export const locateParts = (
  address: DatabaseAddress,
): Readonly<Record<PartName, string | undefined>> => ({
  database: address.file,
  'secret-key': address.file === undefined ? undefined : secretKeyFileOf(address.file),
  charges: chargesFileOf(address),
})
