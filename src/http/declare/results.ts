import type { Context } from './context.ts'

/** The result of a `create` handler. */
export interface CreateResult<E> {
  /** 201 for a new entity, 200 for an existing one, 202 for work that continues. */
  readonly status: 200 | 201 | 202
  readonly entity: E
}
/** The entity is new: 201 with `Location`. */
export const created = <E>(entity: E): CreateResult<E> => ({ status: 201, entity })
/** An existing entity was changed or used: 200. */
export const ok = <E>(entity: E): CreateResult<E> => ({ status: 200, entity })
/** The entity stands for work that continues after the response: 202 with `Location`. */
export const accepted = <E>(entity: E): CreateResult<E> => ({ status: 202, entity })

/**
 * Work that waits for another service, returned by a handler instead of its result. `run` is called
 * once the transaction is durable, outside any transaction, and returns the result or throws a
 * Problem. If the process ends before, `run` is never called: what the handler has committed must
 * be enough to finish the work later. `subject` is an ID of the work, passed to `resumeResult`.
 */
export class AfterCommit<R> {
  readonly subject: number
  readonly run: (ctx: Context) => Promise<R>
  constructor(subject: number, run: (ctx: Context) => Promise<R>) {
    this.subject = subject
    this.run = run
  }
}
