import type { components } from './openapi.ts'

type Body = Partial<components['schemas']['Error']>

/** A stable error code: the status and one more digit. */
export type ErrorCode = components['schemas']['ErrorCode']

/** An invalid field or parameter. */
export type FieldError = components['schemas']['FieldError']

/** An error that the server answered with. */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly status: number
  /** The stable code of the error; undefined if something between client and server answered. */
  readonly code: ErrorCode | undefined
  /** The cause of this error. */
  readonly details: string | undefined
  readonly suggestion: string | undefined
  /** Identifies the request in the logs of the server. */
  readonly requestId: string | undefined
  /** The invalid fields or parameters. */
  readonly errors: readonly FieldError[]
  /** When the server allows another attempt, as in `Retry-After`. */
  readonly retryAfter: string | undefined

  constructor({ status, headers }: Response, body: Body) {
    super(body.message ?? `The server answered ${status}`)
    this.status = status
    this.code = body.error_code
    this.details = body.details
    this.suggestion = body.suggestion
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

/** The resource has no such link: the operation is not possible in its current state, or not for this caller. */
export class MissingLink extends Error {
  override readonly name = 'MissingLink'
}

/** Returns the error that this response stands for. */
export function problemOf(response: Response, text: string): Problem {
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const ProblemClass = response.status === 412 ? PreconditionFailed : Problem
  return new ProblemClass(response, isJson ? JSON.parse(text) : {})
}
