import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** How the server answers instead of doing what it is asked. */
export type S3Fault = (request: IncomingMessage, response: ServerResponse) => boolean

/** A bucket that speaks the part of the S3 API that stores objects, and verifies every signature. */
export interface S3Server {
  /** The URL of the bucket. */
  readonly url: string
  readonly objects: Map<string, Buffer>
  /** Called for every request; true where it has answered. */
  fault: S3Fault
  readonly close: () => Promise<void>
}

/** The credentials that the server accepts. */
export const s3Credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' }
/** The region of the server. */
export const s3Region = 'eu-north-1'

const hex = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The signature of a request (AWS Signature Version 4), computed from the specification. */
function signatureOf({ method, url = '', headers }: IncomingMessage): string {
  const { authorization = '' } = headers
  const [, date = '', signed = ''] =
    /Credential=test-key\/(\d{8})\/[^,]*, SignedHeaders=([^,]+),/.exec(authorization) ?? []
  const names = signed.split(';')
  const canonical = [
    method,
    url,
    '',
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${date}/${s3Region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hex(canonical)].join('\n')
  const dayKey = hmac(`AWS4${s3Credentials.secretAccessKey}`, date)
  const key = hmac(hmac(hmac(dayKey, s3Region), 's3'), 'aws4_request')
  return hmac(key, text).toString('hex')
}

/** Starts a server with one empty bucket on a free port. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const s3 = { objects, fault: (() => false) as S3Fault }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (s3.fault(request, response)) return
    const { method, headers, url = '' } = request
    const isSigned = String(headers.authorization).endsWith(`Signature=${signatureOf(request)}`)
    const checksum = headers['x-amz-checksum-sha256']
    const isIntact =
      hex(body) === headers['x-amz-content-sha256'] &&
      (checksum === undefined || Buffer.from(hex(body), 'hex').toString('base64') === checksum)
    if (!isSigned) return void response.writeHead(403).end('<Error/>')
    if (!isIntact) return void response.writeHead(400).end('<Error/>')
    const name = url.replace(/^\/shop\//, '')
    const object = objects.get(name)
    if (method === 'PUT') {
      objects.set(name, body)
      response.writeHead(200).end()
    } else if (method === 'DELETE') {
      objects.delete(name)
      response.writeHead(204).end()
    } else if (!object) response.writeHead(404).end(method === 'HEAD' ? '' : '<Error/>')
    else {
      response.writeHead(200, { 'content-length': object.length })
      response.end(method === 'HEAD' ? '' : object)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(s3, {
    url: `http://127.0.0.1:${port}/shop`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
