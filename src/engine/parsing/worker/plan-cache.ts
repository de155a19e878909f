import { int4Array, uuidArray } from '../../../platform/database/binary-array.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import type { Delivers, Field, Metric, Shape } from '../../declarations/declaration.ts'
import { compilePlan, chooseEventTime, type Plan } from '../plan/compile-plan.ts'
import { readShapes, type ShapeRow } from './queries.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'

/** A delivery sent under one shape version, to be aggregated into a projection of another (or the same) version. */
export interface WantedPlan {
  companyId: string
  sourceId: string
  projectionShapeVersion: number
  deliveryShapeVersion: number
}

interface DeliveryPlan {
  plan: Plan
  /** The projection's mode. */
  delivers: Delivers
}

export interface PlanCache {
  /** Compiles the wanted plans that are missing; one statement reads all that they need. */
  load(on: Queryable, wanted: WantedPlan[]): Promise<void>
  /** A plan that was just loaded. Throws if there is none, or it could not be compiled. */
  get(wanted: WantedPlan): DeliveryPlan
}

/**
 * Characters of the declarations whose plans are kept; beyond it all plans are dropped. A plan takes several times the
 * memory of its declaration, and most declarations have about 1,000 characters.
 */
const declaredMax = 2 * 1024 * 1024

function toKey(wanted: WantedPlan): string {
  return `${wanted.sourceId} ${wanted.projectionShapeVersion} ${wanted.deliveryShapeVersion}`
}

/**
 * Compiled plans by source, by the projection's shape version (for metrics and event time) and by the delivery's (for
 * fields). They never go stale: shape versions, a company's time zone and a source's salt never change.
 */
export function createPlanCache(): PlanCache {
  const plans = new Map<string, DeliveryPlan | Error>()
  let declared = 0
  const timeZones = new Map<string, TimeZone>()

  const getTimeZone = (name: string): TimeZone => {
    let zone = timeZones.get(name)
    if (!zone) timeZones.set(name, (zone = new TimeZone(name)))
    return zone
  }

  const compile = (ofProjection: ShapeRow, ofDelivery: ShapeRow): DeliveryPlan => {
    const own: Shape = { fields: ofDelivery.fields as Field[], event_time: ofDelivery.event_time }
    const shape: Shape = { fields: own.fields, event_time: chooseEventTime(own, ofProjection.event_time) }
    const metrics = ofProjection.metrics as Metric[]
    return {
      plan: compilePlan(shape, metrics, getTimeZone(ofProjection.time_zone), ofProjection.distinct_salt),
      delivers: ofProjection.delivers,
    }
  }

  return {
    load: async (on, wanted) => {
      // Rare, and one batch's plans are cheap to compile again: an order of use is not worth keeping.
      if (declared > declaredMax) {
        plans.clear()
        declared = 0
      }
      const missing = new Map<string, WantedPlan>()
      for (const want of wanted) if (!plans.has(toKey(want))) missing.set(toKey(want), want)
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
          // Thrown by `get`, so that it stops only the deliveries that need this plan.
          plans.set(key, error as Error)
        }
      }
    },
    get: (wanted) => {
      const plan = plans.get(toKey(wanted))
      if (!plan) throw new Error(`source ${wanted.sourceId} has no such shape version`)
      if (plan instanceof Error) throw plan
      return plan
    },
  }
}
