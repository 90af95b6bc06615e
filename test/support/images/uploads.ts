import type { TestApp, TestCaller, TestResponse } from '#test/support/app.ts'

/** Makes an image of one colour; every call with another colour gives another content. */
export async function makeImage(
  format: 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' = 'jpeg',
  { width = 40, height = 30, background = '#3366cc' } = {},
): Promise<Buffer> {
  // Optional: other tests that upload run without it.
  const { default: sharp } = await import('sharp')
  const image = sharp({ create: { width, height, channels: 3, background } })
  return image.toFormat(format).toBuffer()
}

/** A body for every upload: an image of one pixel. */
export const validUpload = {
  payload: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGMwTjsDAAI1AWaKkkQyAAAAAElFTkSuQmCC',
    'base64',
  ),
  headers: { 'content-type': 'image/png' },
}

/** A response to an upload. */
type UploadResponse = Pick<TestResponse, 'status' | 'headers' | 'json' | 'text'>

/** Sends a body as it is. */
export async function sendBytes(
  { app }: Pick<TestApp, 'app'>,
  caller: Pick<TestCaller, 'token'>,
  url: string,
  payload: Buffer | string,
  headers: Readonly<Record<string, string>>,
): Promise<UploadResponse> {
  const response = await app.inject({
    method: 'POST',
    url,
    payload,
    headers: { authorization: `Bearer ${caller.token}`, ...headers },
  })
  const { statusCode: status, payload: text } = response
  return {
    status,
    text,
    headers: response.headers as Record<string, string>,
    json: text.startsWith('{') ? JSON.parse(text) : undefined,
  }
}

/** A part of a form; with a file name it is a file. */
export interface FormPart {
  readonly name: string
  readonly content: Buffer | string
  readonly filename?: string
}

const boundary = 'boundary-of-the-test'
/** The media type of `makeForm`. */
export const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** Makes a body of multipart/form-data (RFC 7578). */
export const makeForm = (parts: readonly FormPart[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, content, filename }) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(filename === undefined ? '' : `; filename="${filename}"`),
      Buffer.from('\r\n\r\n'),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
