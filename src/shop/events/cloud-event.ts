import { toIsoText } from '#values/instant.ts'
import { eventId } from './event-id.ts'
import type { PublishedEvent } from './events-store.ts'

/** An event in the JSON format of CloudEvents 1.0, with the extension `sequence`. */
export interface CloudEvent {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly sequence: string
  readonly data: object
}

/** Returns the CloudEvent of an event; `source` is the URL of the shop. */
export const cloudEvent = (event: PublishedEvent, source: string): CloudEvent => ({
  specversion: '1.0',
  id: eventId(event),
  source,
  type: event.type,
  subject: event.subject,
  time: toIsoText(event.time),
  datacontenttype: 'application/json',
  sequence: String(event.sequence),
  data: parseData(event, source),
})

/**
 * Adds the URL of the shop to the URLs of images. They are stored without it, because it may change and is
 * not known to everything that records an event. No other member of these names begins with a slash.
 */
const parseData = ({ data }: PublishedEvent, source: string): object =>
  JSON.parse(data, (name, value: unknown) =>
    isImageUrl(name) && typeof value === 'string' && value.startsWith('/') ? source + value : value,
  ) as object

const isImageUrl = (name: string): boolean =>
  name === 'image_url' || name === '320' || name === '640' || name === '1280'
