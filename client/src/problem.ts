import type { Schemas } from './resource.ts'

/** An error that the server answered with. */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly status: number
  /** The stable code of the error; undefined if something between client and server answered. */
  readonly code: Schemas['ErrorCode'] | undefined
  /** The cause of this error. */
  readonly details: string | undefined
  /** Identifies the request in the logs of the server. */
  readonly requestId: string | undefined
  /** The invalid fields or parameters. */
  readonly errors: readonly Schemas['FieldError'][]
  /** When the server allows another attempt, as in `Retry-After`. */
  readonly retryAfter: string | undefined

  constructor({ status, headers }: Response, text: string) {
    const isJson = headers.get('content-type')?.includes('json') === true
    const body: Partial<Schemas['Error']> = isJson ? JSON.parse(text) : {}
    super(body.message ?? `The server answered ${status}`)
    this.status = status
    this.code = body.error_code
    this.details = body.details
    this.requestId = body.request_id ?? headers.get('x-request-id') ?? undefined
    this.errors = body.errors ?? []
    this.retryAfter = headers.get('retry-after') ?? undefined
  }

  /** The message of this field; undefined if it has no error. */
  errorOf(field: string): string | undefined {
    return this.errors.find((error) => error.field === field)?.message
  }
}

/** 412: somebody changed the resource after it was read. Read it again before the next attempt. */
export class PreconditionFailed extends Problem {
  override readonly name = 'PreconditionFailed'
}

/** No answer arrived, although the request was sent again. Whether the server has acted is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}
