import { createRequire } from 'node:module'
import type * as Prometheus from 'prom-client'

const load = createRequire(import.meta.url)

/** The whole of prom-client: eighty modules more, OpenTelemetry among them, for who asks what is measured. */
export const wholePrometheus = () => load('prom-client') as typeof Prometheus

/** What is measured, each from the one file that it is in, as the next three are. */
export const Registry = load('prom-client/lib/registry') as typeof Prometheus.Registry

/** A number that only grows. */
export const Counter = load('prom-client/lib/counter') as typeof Prometheus.Counter

/** A number that goes up and down. */
export const Gauge = load('prom-client/lib/gauge') as typeof Prometheus.Gauge

/** How often a number was in which range. */
export const Histogram = load('prom-client/lib/histogram') as typeof Prometheus.Histogram

/** The type of the same name. */
export type Registry = Prometheus.Registry
