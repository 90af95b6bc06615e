import type { Static, TObject } from 'typebox'
import type { Context } from './context.ts'
import type { HandlerResult, IdempotencyOptions, OperationOptions } from './operation-options.ts'
import type { PathParams } from './path-params.ts'
import type { RawInput } from './raw-input.ts'
import type { Collection } from './resource.ts'
import type { CreateResult } from './results.ts'
import { declareRoute, type Route } from './route.ts'
import type { UploadedBody, UploadOptions } from './uploaded-body.ts'

/**
 * POST of a body that is read as it arrives: 201 with `Location`, unless the result says otherwise. The
 * guards run before its first byte is read. `handle` gets what `receive` returns, as `body`.
 */
export const upload = <E, P extends string, F extends TObject, R>(
  resource: Collection<E, P>,
  options: Omit<UploadOptions<R>, 'receive'> &
    OperationOptions &
    IdempotencyOptions<CreateResult<E>> & {
      /** The query parameters; an invalid or unknown one is 400/4003. */
      readonly filters: F
      /** See `UploadOptions`. */
      readonly receive: (
        ctx: Context,
        input: {
          readonly params: PathParams<P>
          readonly filters: Static<F>
          readonly body: UploadedBody
        },
      ) => Promise<R>
      /** The statuses that `handle` returns; 201 by default. */
      readonly statuses?: readonly (200 | 201 | 202)[]
      /** Creates the entity. */
      readonly handle: (
        ctx: Context,
        input: {
          readonly params: PathParams<P>
          readonly filters: Static<F>
          readonly body: R
          readonly raw: RawInput
        },
      ) => HandlerResult<CreateResult<E>>
    },
): Route => {
  const { mediaTypes, limitBytes, receive, ...rest } = options
  return declareRoute('create', 'POST', resource, {
    statuses: [201],
    ...rest,
    upload: { mediaTypes, limitBytes, receive },
  })
}
