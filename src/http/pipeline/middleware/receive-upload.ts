import type { CodecOptions } from '#http/codec/value-codec.ts'
import type { UploadedBody } from '#http/declare/uploaded-body.ts'
import type { AdmittedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { waitForClient } from '#values/deadline.ts'
import { problem } from '#values/problem.ts'
import { compileQuery } from './query.ts'
import { requireUtf8Query } from './query-encoding.ts'

/**
 * Receives the body of an upload, outside of any transaction. Its digest stands for the body in the
 * fingerprint of an Idempotency-Key, so it comes before that.
 */
export const receiveUploadMiddleware = (
  codecOptions: CodecOptions,
): Middleware<AdmittedExchange, void, Outcome> => ({
  name: 'receive upload',
  prepare(route) {
    const { upload } = route
    if (!upload) return undefined
    const readQuery = compileQuery(route, codecOptions)
    return {
      fragment: {},
      run: async ({ request, ctx, params }, next) => {
        requireUtf8Query(request)
        const { filters } = readQuery(request.query as Record<string, unknown>)
        const body = request.body as UploadedBody | undefined
        if (!body) throw problem('4002', 'detail.empty_body')
        request.body = await waitForClient(() => upload.receive(ctx, { params, filters, body }))
        request.bodyText = body.digest()
        return next()
      },
    }
  },
})
