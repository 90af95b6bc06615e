import { Type } from 'typebox'
import { cloudEvent } from '#shop/events/cloud-event.ts'
import { anonymizeEvents, eventsForExport, mergeEvents } from '#shop/events/personal-data-store.ts'
import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { Event } from './schema.ts'

const { id, type, subject, time, data } = Event.properties

/** The personal data in events; erasure keeps the events with the IDs of their resources. */
export const eventPersonalData: PersonalData = {
  name: 'events',
  description: 'Events about the user, with the state of the resource after each.',
  tables: ['events', 'outbox'],
  merge: mergeEvents,
  erase: (db, { id: userId, now }) => anonymizeEvents(db, userId, now),
  dataExport: {
    schema: Type.Object({ id, type, subject, time, data }),
    read: async (db, userId, limit) => {
      const events = await eventsForExport(db, userId, limit + 1)
      return toExportedData(
        // The URL of the shop is no personal data.
        events.map((event) => cloudEvent(event, '')),
        limit,
      )
    },
  },
}
