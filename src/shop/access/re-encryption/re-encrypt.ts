import { createDigestSecrets, type DigestSetting } from '#shop/access/digest/secrets.ts'
import { keyAssociatedData } from '#shop/access/oauth/keys/key-ring.ts'
import { payloadAssociatedData } from '#shop/access/oauth/storage/adapter.ts'
import { createCipher } from '#src/secrets/encryption.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { createWebhookCipher } from '#src/secrets/webhook-secrets.ts'
import type { Db } from '#store/database.ts'
import {
  digestSecrets,
  type EncryptedColumn,
  oidcPayloads,
  paymentActions,
  signingKeys,
  storedResponses,
  webhookSecrets,
} from './store.ts'

/** The outcome of a re-encryption. */
export interface ReencryptionResult {
  readonly reencrypted: number
  /** The values that no secret decrypts; they are left as they are. */
  readonly unreadable: number
}

type Cipher = ReturnType<typeof createCipher>

/**
 * Re-encrypts under the first secret everything in the database that another secret encrypted.
 * Afterwards no stored value needs the other secrets. Rows are replaced one by one: it may run
 * beside servers, and again after an interruption.
 */
export async function reencryptAll(
  db: Db,
  secretKeys: SecretKeys,
  digest: DigestSetting = 'on',
): Promise<ReencryptionResult> {
  const cipher = createCipher(secretKeys)
  const webhookCipher = createWebhookCipher(secretKeys)
  const targets = [
    { column: digestSecrets, cipher: createDigestSecrets(secretKeys, digest).reencryption },
    { column: storedResponses, cipher },
    { column: paymentActions, cipher },
    { column: signingKeys(keyAssociatedData), cipher },
    { column: oidcPayloads(payloadAssociatedData), cipher },
    { column: webhookSecrets('secret'), cipher: webhookCipher },
    { column: webhookSecrets('replaced_secret'), cipher: webhookCipher },
  ]
  let reencrypted = 0
  let unreadable = 0
  for (const target of targets) {
    let cursor: string | undefined
    do {
      const batch = await reencryptBatch(db, target.column, target.cipher, cursor)
      reencrypted += batch.reencrypted
      unreadable += batch.unreadable
      cursor = batch.last
    } while (cursor !== undefined)
  }
  return { reencrypted, unreadable }
}

/** Re-encrypts the next batch of rows after `after`; `last` is undefined when there are no more. */
export async function reencryptBatch(
  db: Db,
  { nextRows, replace }: EncryptedColumn,
  { encrypt, decrypt, isCurrent }: Cipher,
  after: string | undefined,
): Promise<ReencryptionResult & { readonly last: string | undefined }> {
  let reencrypted = 0
  let unreadable = 0
  const rows = await nextRows(db, after)
  for (const row of rows) {
    const { ciphertext, name } = row
    if (isCurrent(ciphertext, name)) continue
    const text = decrypt(ciphertext, name)
    if (text === undefined) unreadable += 1
    else reencrypted += await replace(db, row, encrypt(text, name))
  }
  return { reencrypted, unreadable, last: rows.at(-1)?.cursor }
}
