import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { leftMs } from '#values/deadline.ts'
import { waitElsewhere } from '#values/request-place.ts'
import {
  type FileStorage,
  maxObjectBytes,
  type ReportStorageError,
  type StoredObject,
  storageUnavailable,
} from './storage.ts'

/** A bucket that speaks the S3 API, and the credentials for it. */
export interface S3Options {
  /** The URL of the bucket or of a folder in it, without a trailing slash. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The time limit of a request, in milliseconds. */
  readonly timeoutMs: number
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes)

/**
 * Creates a storage in a bucket. Each written object is looked up afterwards, because a proxy in
 * between may have answered in place of the storage.
 */
export function createS3Storage(options: S3Options, report: ReportStorageError): FileStorage {
  const { accessKeyId, secretAccessKey, region, timeoutMs } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const send = (method: string, name: string, { bytes, type }: Partial<StoredObject> = {}) => {
    const digest = sha256(bytes ?? '')
    const headers = {
      'x-amz-content-sha256': digest.copy().digest('hex'),
      ...(bytes ? { 'x-amz-checksum-sha256': digest.digest('base64') } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
    }
    const request = {
      method,
      headers,
      ...(bytes ? { body: new Uint8Array(bytes) } : {}),
      // Credentials must not follow a redirect.
      redirect: 'manual',
      signal: AbortSignal.timeout(leftMs(timeoutMs)),
    } as const
    return waitElsewhere(() => client.fetch(`${options.url}/${name}`, request))
  }
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      report(error)
      throw storageUnavailable()
    }
  }
  return {
    write: (name, object) =>
      attempt(async () => {
        await drain(requireStatus(await send('PUT', name, object), [200]))
        const { headers } = requireStatus(await send('HEAD', name), [200])
        if (Number(headers.get('content-length')) === object.bytes.length) return
        throw new Error(`S3 has not stored ${name}`)
      }),
    read: (name) =>
      attempt(async () => {
        const response = requireStatus(await send('GET', name), [200, 404])
        if (response.status === 200) return readBytes(response)
        await drain(response)
        return undefined
      }),
    remove: (name) =>
      attempt(async () => drain(requireStatus(await send('DELETE', name), [200, 204, 404]))),
  }
}

function requireStatus(response: Response, expected: readonly number[]): Response {
  if (expected.includes(response.status)) return response
  void response.body?.cancel().catch(() => undefined)
  throw new Error(`S3 answered ${response.status}`)
}

/** Discards a body, so that the connection can be used again. */
const drain = async (response: Response): Promise<void> => {
  await readBytes(response)
}

/** Returns a body; throws an Error beyond the largest object. */
async function readBytes({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const reader = body?.getReader()
  let bytes = 0
  for (;;) {
    const { value, done = true } = (await reader?.read()) ?? {}
    if (done || !value) break
    bytes += value.length
    if (bytes > maxObjectBytes) {
      // Not awaited: it may wait for a server that never stops.
      void reader?.cancel().catch(() => undefined)
      throw new Error('S3 answered with too many bytes')
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}
