import type { Actor } from '#http/declare/actor.ts'

/** True for callers who may change products: they also see drafts, archived products, and what products cost. */
export const managesProducts = ({ role, scopes }: Pick<Actor, 'role' | 'scopes'>): boolean =>
  role === 'admin' && scopes.has('products:write')
