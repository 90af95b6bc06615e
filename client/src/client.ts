// biome-ignore-all lint/performance/noBarrelFile: a package has one entry
export type { components, operations, paths } from './openapi.ts'
export type { ErrorCode, FieldError } from './problem.ts'
export { ConnectionLost, MissingLink, PreconditionFailed, Problem } from './problem.ts'
export { openShop, type Shop } from './shop.ts'
export type { Session, ShopOptions, ShopRequest } from './transport.ts'
export type { CallOptions, List, Resource, Schemas } from './types.ts'
