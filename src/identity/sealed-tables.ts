import { defineSealedTable } from '../keys/sealed-table.ts'
import { bankIdOrderPlace } from './bankid/order-content.ts'
import { takeBankIdOrdersUnder, updateSealedBankIdOrders } from './bankid/queries.ts'
import { demoOrderPlace } from './demo/demo-provider.ts'
import {
  takeDemoOrdersUnder,
  takeSignaturesUnder,
  updateSealedDemoOrders,
  updateSealedSignatures,
} from './queries.ts'
import { signaturePlace } from './signing.ts'

function sealedOf(rows: readonly { sealed: Buffer }[]): Buffer[] {
  return rows.map((row) => row.sealed)
}

export const sealedSignatures = defineSealedTable({
  table: 'signatures',
  take: takeSignaturesUnder,
  placeOf: (row) => signaturePlace(row.signature_id),
  put: (on, rows) =>
    updateSealedSignatures.run(on, { keys: rows.map((row) => row.signature_id), sealed: sealedOf(rows) }),
})

export const sealedDemoOrders = defineSealedTable({
  table: 'demo_identity_orders',
  take: takeDemoOrdersUnder,
  placeOf: (row) => demoOrderPlace(row.reference),
  put: (on, rows) =>
    updateSealedDemoOrders.run(on, { keys: rows.map((row) => row.reference), sealed: sealedOf(rows) }),
})

export const sealedBankIdOrders = defineSealedTable({
  table: 'bankid_orders',
  take: takeBankIdOrdersUnder,
  placeOf: (row) => bankIdOrderPlace(row.reference),
  put: (on, rows) =>
    updateSealedBankIdOrders.run(on, { keys: rows.map((row) => row.reference), sealed: sealedOf(rows) }),
})
