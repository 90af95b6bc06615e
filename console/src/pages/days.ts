import type { Body } from '../api/json.ts'
import { dayOf, startOf } from '../zone.ts'

/** The orders and the revenue of a day. */
export interface Day {
  readonly date: Date
  readonly count: number
  /** What was paid and not returned, in major units. */
  readonly revenue: number
}

const earning = new Set(['paid', 'shipped', 'delivered'])

const earned = ({ total, refunded_total }: Body): number => Number(total) - Number(refunded_total)

/** The start of the day, `ago` days before the one of `now`, in the time zone of the shop. */
export function startOfDay(now: Date, ago = 0): Date {
  const day = new Date(`${dayOf(now)}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - ago)
  return startOf(day.toISOString().slice(0, 10))
}

/** Groups orders by day, for as many days up to the one of `now`, the oldest first. */
export function groupByDay(orders: readonly Body[], now: Date, days: number): readonly Day[] {
  return Array.from({ length: days }, (_, index) => {
    const date = startOfDay(now, days - 1 - index)
    const end = startOfDay(now, days - 2 - index)
    const ofDay = orders.filter(({ created_at }) => {
      const at = new Date(String(created_at))
      return at >= date && at < end
    })
    const revenue = ofDay
      .filter(({ status }) => earning.has(String(status)))
      .reduce((sum, order) => sum + earned(order), 0)
    return { date, count: ofDay.length, revenue }
  })
}
