import { integerBetween, type Random } from './random.ts'
import type { DemoOrder, DemoOrderStatus } from './rows.ts'

type Method = DemoOrder['shipping_method']

/** What is known of a parcel: all null until it leaves. */
export type Dispatch = Pick<
  DemoOrder,
  'carrier' | 'tracking_number' | 'tracking_url' | 'shipped_age_hours' | 'delivered_age_hours'
>

const YOUNGEST_AND_OLDEST_HOURS = {
  paid: [2, 30],
  shipped: [40, 110],
  // The youngest leaves room for the slowest preparation and transit below.
  delivered: [180, 8700],
  cancelled: [60, 8700],
} as const

const PREPARATION_HOURS = [6, 36] as const

const TRANSIT_HOURS = {
  standard: [48, 132],
  express: [20, 44],
  pickup: [4, 30],
} as const

const NOT_DISPATCHED: Dispatch = {
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  shipped_age_hours: null,
  delivered_age_hours: null,
}

/** Returns an order age in hours that suits the status: under half an hour where pending. */
export function drawAgeHours(status: DemoOrderStatus, random: Random): number {
  // Eighths of an hour are whole milliseconds.
  if (status === 'pending') return integerBetween(0, 3, random) / 8
  const [youngest, oldest] = YOUNGEST_AND_OLDEST_HOURS[status]
  return integerBetween(youngest, oldest, random)
}

/** Returns carrier, tracking and times that agree with the status; a pickup has no carrier. */
export function drawDispatch(
  status: DemoOrderStatus,
  method: Method,
  ageHours: number,
  random: Random,
): Dispatch {
  if (status !== 'shipped' && status !== 'delivered') return NOT_DISPATCHED
  const shippedAgeHours = ageHours - integerBetween(...PREPARATION_HOURS, random)
  return {
    ...drawTracking(method, random),
    shipped_age_hours: shippedAgeHours,
    delivered_age_hours:
      status === 'delivered' ? shippedAgeHours - transitHours(method, random) : null,
  }
}

function transitHours(method: Method, random: Random): number {
  const [shortest, longest] = TRANSIT_HOURS[method]
  return integerBetween(shortest, longest, random)
}

function drawTracking(
  method: Method,
  random: Random,
): Pick<Dispatch, 'carrier' | 'tracking_number' | 'tracking_url'> {
  if (method === 'pickup') return { carrier: null, tracking_number: null, tracking_url: null }
  const digits = integerBetween(1_000_000_000, 9_999_999_999, random)
  const tracking_number = `${method === 'express' ? 'SH' : 'LP'}${digits}`
  return {
    carrier: method === 'express' ? 'Swiftheron Courier' : 'Larkpost',
    tracking_number,
    tracking_url: `https://track.example.com/${tracking_number}`,
  }
}
