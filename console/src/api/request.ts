import type { Body, Json } from './json.ts'
import { fetchWithRetries } from './retry.ts'
import { accessToken, dropToken } from './session.ts'

/** A response of the API. */
export interface Answer {
  readonly status: number
  readonly body: Body
  readonly etag: string | undefined
  readonly location: string | undefined
}

/** What a request sends besides its method and address. */
export interface RequestOptions {
  readonly body?: Json | Blob
  readonly ifMatch?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** A token in place of that of the session. */
  readonly token?: string
}

/** An invalid field of a request. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** An error response of the API. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly details: string
  readonly fields: readonly FieldProblem[]

  constructor(status: number, body: Body) {
    super(String(body.message ?? body.error ?? `HTTP ${status}`))
    this.status = status
    this.code = String(body.error_code ?? '')
    this.details = typeof body.details === 'string' ? body.details : ''
    const fields = body.errors ?? body.details
    this.fields = Array.isArray(fields) ? (fields as unknown as readonly FieldProblem[]) : []
  }
}

/** Asks the user to sign in again; resolves once that is done. */
export type AskToSignIn = () => Promise<void>

let askToSignIn: AskToSignIn = () => Promise.reject(new Error('There is no page yet.'))

/** Sets what asks the user to sign in again when the session has ended. */
export function onSessionEnd(ask: AskToSignIn): void {
  askToSignIn = ask
}

async function requireToken(): Promise<string> {
  for (;;) {
    const token = await accessToken()
    if (token !== undefined) return token
    await askToSignIn()
  }
}

/** Sends a request once; 401 is a response like any other. */
async function exchange(
  method: string,
  href: string,
  options: RequestOptions,
  key: string,
): Promise<Response> {
  const { body, ifMatch, headers } = options
  const token = options.token ?? (await requireToken())
  const isBlob = body instanceof Blob
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  return fetchWithRetries(href, {
    method,
    headers: {
      accept: 'application/vnd.cartwright.v1+json',
      'accept-language': document.documentElement.lang,
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': isBlob ? body.type : type }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(method === 'POST' || method === 'PATCH' ? { 'idempotency-key': key } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isBlob ? body : JSON.stringify(body) }),
  })
}

/** Sends a request, and returns the response with its text and, if that is JSON, its body. Throws as `send`. */
async function receive(method: string, href: string, options: RequestOptions) {
  const key = crypto.randomUUID()
  let response = await exchange(method, href, options, key)
  while (response.status === 401 && options.token === undefined) {
    dropToken()
    response = await exchange(method, href, options, key)
  }
  const text = await response.text()
  const isJson = text !== '' && (response.headers.get('content-type') ?? '').includes('json')
  const body = isJson ? (JSON.parse(text) as Body) : {}
  if (!response.ok) throw new ApiProblem(response.status, body)
  return { response, text, body }
}

/**
 * Sends a request with the token of the session and, if that has ended, again once the user has
 * signed in. Throws an ApiProblem for an error response.
 */
export async function send(
  method: string,
  href: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const { response, body } = await receive(method, href, options)
  return {
    status: response.status,
    body,
    etag: response.headers.get('etag') ?? undefined,
    location: response.headers.get('location') ?? undefined,
  }
}

/** Reads a table as CSV. Throws an ApiProblem. */
export const readTable = async (href: string): Promise<string> =>
  (await receive('GET', href, { headers: { accept: 'text/csv' } })).text

/** Reads a resource. Throws an ApiProblem. */
export const read = (href: string): Promise<Answer> => send('GET', href)

/** The entries of a page of a collection. */
export const entriesOf = (page: Body | undefined): readonly Body[] =>
  Array.isArray(page?.data) ? (page.data as readonly Body[]) : []
