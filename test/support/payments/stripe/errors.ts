/** An error that the API answers with; `isStored` tells whether an idempotency key keeps it. */
export class ApiError extends Error {
  readonly status: number
  readonly body: object
  readonly isStored: boolean

  constructor(status: number, error: Readonly<Record<string, unknown>>, isStored = false) {
    super(String(error['message'] ?? error['code']))
    this.status = status
    this.body = { error }
    this.isStored = isStored
  }
}

/** A parameter that does not validate: nothing has begun, so no idempotency key keeps the answer. */
export const badParameter = (param: string, code: string, message: string): ApiError =>
  new ApiError(400, { type: 'invalid_request_error', code, param, message })

/** A request that the state of an object does not allow. */
export const badState = (code: string, message: string, more: object = {}): ApiError =>
  new ApiError(400, { type: 'invalid_request_error', code, message, ...more }, true)

/** An object that does not exist. */
export const missing = (what: string, id: string, param: string, status = 404): ApiError =>
  new ApiError(status, {
    ...{ type: 'invalid_request_error', code: 'resource_missing', param },
    message: `No such ${what}: '${id}'`,
  })
