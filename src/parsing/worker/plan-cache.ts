import { int4Array, uuidArray } from '../../database/binary-array.ts'
import type { Queryable } from '../../database/pool.ts'
import type { Delivers, Field, Metric, Shape } from '../../sources/declaration.ts'
import { compilePlan, type Plan } from '../plan/compile-plan.ts'
import { readShapes, type ShapeRow } from '../project/queries.ts'
import { TimeZone } from '../../values/time-zone.ts'

/** A delivery of one shape version, to be folded as the fold of another (or the same) one wants it. */
export interface WantedPlan {
  companyId: string
  sourceId: string
  foldShapeVersion: number
  deliveryShapeVersion: number
}

export interface FoldPlan {
  plan: Plan
  /** The fold's mode. */
  delivers: Delivers
}

export interface PlanCache {
  /** Makes sure of all the plans that are wanted, in one statement for those that are not there yet. */
  load(on: Queryable, wanted: WantedPlan[]): Promise<void>
  /** A plan that was loaded just before. Throws where there is none, or it cannot be made. */
  get(wanted: WantedPlan): FoldPlan
}

/**
 * Characters of the declarations whose plans are remembered: beyond it all plans are made again. A plan takes some times more.
 * Mostly it is 1,000.
 */
export const declaredMax = 2 * 1024 * 1024

const keyOf = (wanted: WantedPlan): string =>
  `${wanted.sourceId} ${wanted.foldShapeVersion} ${wanted.deliveryShapeVersion}`

/**
 * Compiled plans by source, shape version of the fold and shape version of the delivery. They never go stale: a
 * shape version never changes, nor do a company's time zone and a source's salt.
 */
export const createPlanCache = (): PlanCache => {
  const plans = new Map<string, FoldPlan | Error>()
  let declared = 0
  const timeZones = new Map<string, TimeZone>()

  const timeZoneOf = (name: string): TimeZone => {
    let zone = timeZones.get(name)
    if (!zone) timeZones.set(name, (zone = new TimeZone(name)))
    return zone
  }

  const compile = (ofFold: ShapeRow, ofDelivery: ShapeRow): FoldPlan => {
    const shape: Shape = { fields: ofDelivery.fields as Field[], event_time: ofDelivery.event_time }
    const metrics = ofFold.metrics as Metric[]
    return {
      plan: compilePlan(shape, metrics, timeZoneOf(ofFold.time_zone), ofFold.distinct_salt),
      delivers: ofFold.delivers,
    }
  }

  return {
    load: async (on, wanted) => {
      // Rare, and making the plans of one batch anew is cheap: not worth keeping the order of use.
      if (declared > declaredMax) {
        plans.clear()
        declared = 0
      }
      const missing = new Map<string, WantedPlan>()
      for (const want of wanted) if (!plans.has(keyOf(want))) missing.set(keyOf(want), want)
      if (missing.size === 0) return

      const versions = new Map<string, { companyId: string; sourceId: string; version: number }>()
      for (const { companyId, sourceId, foldShapeVersion, deliveryShapeVersion } of missing.values()) {
        for (const version of [foldShapeVersion, deliveryShapeVersion]) {
          versions.set(`${sourceId} ${version}`, { companyId, sourceId, version })
        }
      }
      const asked = [...versions.values()]
      const rows = await readShapes.rows(on, [
        uuidArray(asked.map((shape) => shape.companyId)),
        uuidArray(asked.map((shape) => shape.sourceId)),
        int4Array(asked.map((shape) => shape.version)),
      ])
      const shapes = new Map(rows.map((row) => [`${row.source_id} ${row.shape_version}`, row]))
      for (const [key, want] of missing) {
        const ofFold = shapes.get(`${want.sourceId} ${want.foldShapeVersion}`)
        const ofDelivery = shapes.get(`${want.sourceId} ${want.deliveryShapeVersion}`)
        if (!ofFold || !ofDelivery) continue
        declared += JSON.stringify([ofFold.metrics, ofDelivery.fields]).length
        try {
          plans.set(key, compile(ofFold, ofDelivery))
        } catch (error) {
          // Told to whoever asks for it, so that it stops its own deliveries and nobody else's.
          plans.set(key, error as Error)
        }
      }
    },
    get: (wanted) => {
      const plan = plans.get(keyOf(wanted))
      if (!plan) throw new Error(`source ${wanted.sourceId} has no such shape version`)
      if (plan instanceof Error) throw plan
      return plan
    },
  }
}
