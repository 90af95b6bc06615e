// biome-ignore-all lint/performance/noBarrelFile: a package has one entry
export { ConnectionLost, PreconditionFailed, Problem } from './problem.ts'
export type { CallOptions, List, Resource, Schemas } from './resource.ts'
export { MissingLink } from './resource.ts'
export { openShop, type Shop } from './shop.ts'
export type { Session, ShopOptions, ShopRequest } from './transport.ts'
