import { defineSealedTable } from '../../keys/sealed-table.ts'
import { takeOpenIdConnectOrdersUnder, updateSealedOpenIdConnectOrders } from './queries.ts'

/** The place that what an order keeps is sealed for. */
export function openIdConnectOrderPlace(reference: string): string {
  return `openid_connect_order:${reference}`
}

export const sealedOpenIdConnectOrders = defineSealedTable({
  table: 'openid_connect_orders',
  take: takeOpenIdConnectOrdersUnder,
  placeOf: (row) => openIdConnectOrderPlace(row.reference),
  put: (on, rows) =>
    updateSealedOpenIdConnectOrders.run(on, {
      keys: rows.map((row) => row.reference),
      sealed: rows.map((row) => row.sealed),
    }),
})
