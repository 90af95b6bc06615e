import type { CloudEvent } from '#shop/events/cloud-event.ts'

/** Returns the attributes of an event without its media type, their names with a prefix: binary content mode. */
export const prefixedAttributes = (event: CloudEvent, prefix: string): Record<string, string> => {
  const { data: _data, datacontenttype: _type, ...attributes } = event
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [prefix + name, value]),
  )
}
