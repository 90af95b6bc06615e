import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { compressForReuse } from '#http/codec/content-coding/compress.ts'
import {
  type ContentCoding,
  etagWithCoding,
  negotiateContentCoding,
} from '#http/codec/content-coding/negotiate.ts'
import { pathOf } from '#http/message/url-path.ts'
import { matchingTag } from '#http/pipeline/middleware/conditional.ts'
import type { RawRequest } from '#http/server/raw-routes.ts'

const folder = join(import.meta.dirname, '../../../console/dist')
const indexName = 'index.html'

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface File {
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly content: Buffer
  /** The content by content coding, compressed once. */
  readonly compressed: Map<ContentCoding, Promise<Buffer>>
}

// The names of all files but the page contain a hash of their content.
const immutable = 'public, max-age=31536000, immutable'

/** Only files of this server run, and nothing frames the page. */
const contentSecurityPolicy =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

async function readConsoleFile(name: string): Promise<File> {
  const content = await readFile(join(folder, name))
  return {
    headers: {
      'content-type': mediaTypes[extname(name)] ?? 'application/octet-stream',
      'cache-control': name === indexName ? 'no-cache' : immutable,
      'content-security-policy': contentSecurityPolicy,
      vary: 'Accept-Encoding',
    },
    etag: `"${hash('sha256', content, 'base64url')}"`,
    content,
    compressed: new Map(),
  }
}

async function readFiles(): Promise<ReadonlyMap<string, File>> {
  const names = await readdir(folder)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readConsoleFile(name)] as const)),
  )
}

let files: Promise<ReadonlyMap<string, File>> | undefined

function compressed({ compressed, content }: File, coding: ContentCoding): Promise<Buffer> {
  const result = compressed.get(coding) ?? compressForReuse(content, coding)
  compressed.set(coding, result)
  return result
}

/** Sends a file of the console, or its page for every other path; 404 for an unknown asset. */
export async function respondWithFile({ request, response, url }: RawRequest): Promise<void> {
  files ??= readFiles()
  const [, asset] = /^\/console\/assets\/(.*)$/.exec(pathOf(url)) ?? []
  const file = (await files).get(asset ?? indexName)
  if (!file) {
    response.writeHead(404, { 'cache-control': 'no-cache' }).end()
    return
  }
  const known = matchingTag(request.headers, file.etag)
  if (known !== undefined) {
    response.writeHead(304, { ...file.headers, etag: known }).end()
    return
  }
  const { coding } = negotiateContentCoding(request.headers['accept-encoding'])
  const etag = coding === undefined ? file.etag : etagWithCoding(file.etag, coding)
  const headers = { ...file.headers, etag }
  const body = coding === undefined ? file.content : await compressed(file, coding)
  const encoding = coding === undefined ? {} : { 'content-encoding': coding }
  response.writeHead(200, { ...headers, ...encoding, 'content-length': body.length }).end(body)
}
