import { type SqlBool, sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { dialectOf, textIn } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import type { EventAudience } from './types.ts'

/** An event of the feed; `eventId` returns its ID. */
export interface PublishedEvent {
  readonly sequence: number
  readonly type: string
  readonly subject: string
  readonly time: Instant
  /** Null for an event that is for everybody. */
  readonly audience: EventAudience | null
  /** The representation of the resource in version 1 of the API, as JSON. */
  readonly data: string
  /** The end of the day on which the personal data was erased; null if none was. */
  readonly data_erased_at: Instant | null
}

/** Returns the ID of the resource that an event is about. */
export const subjectId = ({ subject }: Pick<PublishedEvent, 'subject'>): number =>
  Number(subject.slice(subject.lastIndexOf('/') + 1))

/** The columns of a `PublishedEvent`. */
export const eventColumns = [
  'sequence',
  'type',
  'subject',
  'time',
  'audience',
  'data',
  'data_erased_at',
] as const

/** Which events to read. */
export interface EventRange {
  /** The sequence number after which to begin; 0 for the oldest event. */
  readonly after: number
  /** The result of `publishEvents`. */
  readonly upTo: number
  readonly limit: number
  /** Events of an earlier time are left out. */
  readonly since?: Instant | undefined
  /** All types by default. */
  readonly types?: readonly string[] | undefined
  /** All resources by default. */
  readonly subject?: string | undefined
  /** Without it, those of every audience. */
  readonly audience?: EventAudience | undefined
}

type Bounds = Required<Pick<EventRange, 'after' | 'upTo' | 'limit'>> & {
  readonly since: Instant
  readonly audience: EventAudience | ''
}

/** True for the events of an audience, or of every one. */
const isForReader = ({ audience }: Bounds) =>
  sql<SqlBool>`(cast(${audience} as text) = '' or audience is null or audience = ${audience})`

const inBounds = (db: Db, param: Bounds) =>
  db
    .selectFrom('events')
    .select(eventColumns)
    .where('sequence', '>', param.after)
    .where('sequence', '<=', param.upTo)
    .where('time', '>=', param.since)
    .where(isForReader(param))
    .orderBy('sequence')
    .limit(param.limit)

const ofAll = prepareQuery((db: Db, param: Bounds) => inBounds(db, param))

const ofSubject = prepareQuery((db: Db, param: Bounds & { readonly subject: string }) =>
  inBounds(db, param).where('subject', '=', param.subject),
)

const ofSubjectAndTypes = prepareQuery(
  (db: Db, param: Bounds & { readonly subject: string; readonly types: readonly string[] }) =>
    inBounds(db, param)
      .where('subject', '=', param.subject)
      .where(textIn(db, 'events.type', param.types)),
)

type TypeParams = Readonly<Record<`type_${number}`, string>>

/**
 * The events of a type by the index of types. Of an equal type in the order of numbers, PostgreSQL may read all events
 * by the primary key; a comparison of rows is one range of this index only.
 */
function ofType(db: Db, param: Bounds, type: string) {
  if (dialectOf(db) === 'sqlite') return inBounds(db, param).where('type', '=', type)
  return db
    .selectFrom('events')
    .select(eventColumns)
    .where(sql<SqlBool>`(type, sequence) > (${type}, ${param.after})`)
    .where(sql<SqlBool>`(type, sequence) <= (${type}, ${param.upTo})`)
    .where('time', '>=', param.since)
    .where(isForReader(param))
    .orderBy('type')
    .orderBy('sequence')
    .limit(param.limit)
}

/** Reads a page of each type by its index and keeps the first of all. */
const queryOfTypes = (count: number) =>
  prepareQuery((db: Db, param: Bounds & TypeParams) => {
    const [first, ...others] = Array.from({ length: count }, (_, at) =>
      db.selectFrom(ofType(db, param, param[`type_${at}`] ?? '').as('page')).selectAll('page'),
    )
    if (!first) throw new RangeError('There must be a type')
    return others
      .reduce((union, next) => union.unionAll(next), first)
      .orderBy('sequence')
      .limit(param.limit)
  })
const ofTypes = new Map<number, ReturnType<typeof queryOfTypes>>()

function readTypes(db: Db, bounds: Bounds, types: readonly string[]) {
  const query = ofTypes.get(types.length) ?? queryOfTypes(types.length)
  ofTypes.set(types.length, query)
  const params: TypeParams = Object.fromEntries(types.map((type, at) => [`type_${at}`, type]))
  return query.all(db, { ...bounds, ...params })
}

/** Returns the oldest events of a range, in order. */
export function readEvents(db: Db, range: EventRange): Promise<readonly PublishedEvent[]> {
  const { after, upTo, limit, since = 0, types, subject, audience = '' } = range
  if (types?.length === 0) return Promise.resolve([])
  const bounds: Bounds = { after, upTo, limit, since, audience }
  if (subject === undefined) {
    return types === undefined ? ofAll.all(db, bounds) : readTypes(db, bounds, types)
  }
  return types === undefined
    ? ofSubject.all(db, { ...bounds, subject })
    : ofSubjectAndTypes.all(db, { ...bounds, subject, types })
}

const bySequence = prepareQuery((db: Db, param: { sequence: number }) =>
  db.selectFrom('events').select(eventColumns).where('sequence', '=', param.sequence),
)

/** Returns the published event with this sequence number. */
export const findEvent = (db: Db, sequence: number): Promise<PublishedEvent | undefined> =>
  bySequence.first(db, { sequence })
