import { resolve } from 'node:path'
import { isLoopbackName } from '#values/loopback-name.ts'
import { onOrOff, optional, type Setting, setting } from './setting.ts'

type Format<T> = Pick<Setting<T>, 'expected' | 'parse'>

/** Where files are kept: a folder, or a bucket of the S3 API. */
export type FilesAddress =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 's3'
      /** The URL of the bucket, or of a folder in it, without a trailing slash. */
      readonly url: string
      readonly region: string
    }

const filesUrl: Format<FilesAddress> = {
  expected:
    'file:PATH or s3://BUCKET?endpoint=URL&region=NAME; a folder in the bucket may follow it, and the endpoint needs https but on this machine',
  parse: (text) => {
    if (/\p{Cc}/u.test(text)) return undefined
    if (/^file:./.test(text)) {
      return { kind: 'folder', folder: resolve(text.slice('file:'.length).replace(/^\/\//, '')) }
    }
    return parseBucket(text)
  },
}

function parseBucket(text: string): FilesAddress | undefined {
  const address = URL.parse(text)
  if (address?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(address.hostname)) return
  const { searchParams, hostname, pathname } = address
  const isKnown = [...searchParams.keys()].every((name) => name === 'endpoint' || name === 'region')
  const region = searchParams.get('region') ?? 'us-east-1'
  const endpoint = URL.parse(
    searchParams.get('endpoint') ?? `https://s3.${encodeURIComponent(region)}.amazonaws.com`,
  )
  const isSafe =
    endpoint?.protocol === 'https:' ||
    (endpoint?.protocol === 'http:' && isLoopbackName(endpoint.hostname))
  const isPlain = `${address.username}${address.port}${address.hash}` === ''
  const isPath = /^(?:\/[\w.-]+)*\/?$/.test(pathname)
  if (!isKnown || !isSafe || !isPlain || !isPath || !/^[a-z0-9-]+$/.test(region)) return
  const url = `${endpoint.origin}${endpoint.pathname}/${hostname}${pathname}`
  return { kind: 's3', url: url.replace(/(?<!:)\/{2,}/g, '/').replace(/\/$/, ''), region }
}

/** A credential without spaces. */
const credential: Format<string> = {
  expected: 'a text without spaces',
  parse: (text) => (/^[!-~]{1,512}$/.test(text) ? text : undefined),
}

/** The settings of the storage of files. */
export const fileSettings = {
  files: optional(
    'FILES_URL',
    {
      description:
        'Where the images of products are kept. Default: file:data/files, beside the embedded database.',
    },
    filesUrl,
  ),
  sharedDisk: setting(
    'SHARED_DISK',
    {
      defaultText: 'off',
      description:
        'Whether all hosts on one PostgreSQL share the folders of images, mails and the sandbox. Without it a second host does not start while one of these is on a disk.',
    },
    onOrOff,
  ),
  awsAccessKeyId: optional(
    'AWS_ACCESS_KEY_ID',
    { description: 'The access key with FILES_URL=s3://….' },
    credential,
  ),
  awsSecretAccessKey: optional(
    'AWS_SECRET_ACCESS_KEY',
    { description: 'The secret of AWS_ACCESS_KEY_ID.', secret: true },
    credential,
  ),
}
