import { int4Array, uuidArray } from '../../database/binary-array.ts'
import type { Queryable } from '../../database/pool.ts'
import type { Delivers, Field, Metric, Shape } from '../../sources/declaration.ts'
import { compilePlan, eventTimeOf, type Plan } from '../plan/compile-plan.ts'
import { readShapes, type ShapeRow } from './queries.ts'
import { TimeZone } from '../../values/time-zone.ts'

/** A delivery of one shape version, to be aggregated as the projection of another (or the same) one wants it. */
export interface WantedPlan {
  companyId: string
  sourceId: string
  projectionShapeVersion: number
  deliveryShapeVersion: number
}

export interface DeliveryPlan {
  plan: Plan
  /** The projection's mode. */
  delivers: Delivers
}

export interface PlanCache {
  /** Makes sure of all the plans that are wanted, in one statement for those that are not there yet. */
  load(on: Queryable, wanted: WantedPlan[]): Promise<void>
  /** A plan that was loaded just before. Throws where there is none, or it cannot be made. */
  get(wanted: WantedPlan): DeliveryPlan
}

/**
 * Characters of the declarations whose plans are kept: beyond it all plans are made again. A plan takes several times its
 * declaration's memory; most declarations have 1,000 characters.
 */
export const declaredMax = 2 * 1024 * 1024

function keyOf(wanted: WantedPlan): string {
  return `${wanted.sourceId} ${wanted.projectionShapeVersion} ${wanted.deliveryShapeVersion}`
}

/**
 * Compiled plans by source, shape version of the projection (its metrics, its event time) and shape version of the delivery (its
 * fields). They never go stale: a shape version never changes, nor do a company's time zone and a source's salt.
 */
export function createPlanCache(): PlanCache {
  const plans = new Map<string, DeliveryPlan | Error>()
  let declared = 0
  const timeZones = new Map<string, TimeZone>()

  const timeZoneOf = (name: string): TimeZone => {
    let zone = timeZones.get(name)
    if (!zone) timeZones.set(name, (zone = new TimeZone(name)))
    return zone
  }

  const compile = (ofProjection: ShapeRow, ofDelivery: ShapeRow): DeliveryPlan => {
    const own: Shape = { fields: ofDelivery.fields as Field[], event_time: ofDelivery.event_time }
    const shape: Shape = { fields: own.fields, event_time: eventTimeOf(own, ofProjection.event_time) }
    const metrics = ofProjection.metrics as Metric[]
    return {
      plan: compilePlan(shape, metrics, timeZoneOf(ofProjection.time_zone), ofProjection.distinct_salt),
      delivers: ofProjection.delivers,
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
      for (const { companyId, sourceId, projectionShapeVersion, deliveryShapeVersion } of missing.values()) {
        for (const version of [projectionShapeVersion, deliveryShapeVersion]) {
          versions.set(`${sourceId} ${version}`, { companyId, sourceId, version })
        }
      }
      const needed = [...versions.values()]
      const rows = await readShapes.rows(on, {
        companyIds: uuidArray(needed.map((shape) => shape.companyId)),
        sourceIds: uuidArray(needed.map((shape) => shape.sourceId)),
        shapeVersions: int4Array(needed.map((shape) => shape.version)),
      })
      const shapes = new Map(rows.map((row) => [`${row.source_id} ${row.shape_version}`, row]))
      for (const [key, want] of missing) {
        const ofProjection = shapes.get(`${want.sourceId} ${want.projectionShapeVersion}`)
        const ofDelivery = shapes.get(`${want.sourceId} ${want.deliveryShapeVersion}`)
        if (!ofProjection || !ofDelivery) continue
        declared += JSON.stringify([ofProjection.metrics, ofDelivery.fields]).length
        try {
          plans.set(key, compile(ofProjection, ofDelivery))
        } catch (error) {
          // Thrown by `get`, so that it stops its own deliveries and no others.
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
