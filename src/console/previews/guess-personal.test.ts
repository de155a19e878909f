import { expect, test } from 'vitest'
import { guessPersonal } from './guess-personal.ts'

const at = new Date('2026-11-21T12:00:00Z')
const byName = (name: string) => guessPersonal(name, [], at)?.kind
const byValues = (...values: string[]) => guessPersonal('x', values, at)?.kind

test.each([
  ['customer_email', 'email'],
  ['E-post', 'email'],
  ['epostadress', 'email'],
  ['personnummer', 'personal_number'],
  ['PersonalNumber', 'personal_number'],
  ['telefonnummer', 'phone'],
  ['mobilePhone', 'phone'],
  ['FirstName', 'name'],
  ['kund_namn', 'name'],
  ['Efternamn', 'name'],
  ['CustomerID', 'person'],
  ['kundnummer', 'person'],
  ['cashier', 'person'],
  ['leveransadress', 'address'],
  ['date_of_birth', 'birth_date'],
  ['client_ip', 'ip_address'],
  ['IBAN', 'bank_account'],
])('A field named %s looks like %s', (name, kind) => {
  expect(byName(name)).toBe(kind)
})

test('What is not about one person is not marked', () => {
  for (const name of [
    'country',
    'customer_country',
    'customer_count',
    'quantity',
    'product_name',
    'name',
    'StockCode',
    'InvoiceNo',
    'till',
    'mailing_cost_total',
    'shipping',
  ]) {
    expect(byName(name), name).toBeUndefined()
  }
})

test('Values are recognised regardless of the field’s name', () => {
  expect(byValues('a@example.com', 'b.c@example.se')).toBe('email')
  expect(byValues('19811218-9876', '811218-9876')).toBe('personal_number')
  expect(byValues('+46 70 123 45 67', '070-123 45 67')).toBe('phone')
  expect(byValues('Anna Svensson', 'Lars-Erik von Essen')).toBe('name')
  expect(byValues('Storgatan 12', 'Nya vägen 3 B')).toBe('address')
  expect(byValues('192.0.2.1', '2001:db8::1')).toBe('ip_address')
  expect(byValues('GB82 WEST 1234 5698 7654 32')).toBe('bank_account')
})

test('Most of the values must look so', () => {
  expect(byValues('a@example.com', 'none', 'none', 'none')).toBeUndefined()
  expect(byValues('559999-0016', '556677-8899')).toBeUndefined()
  expect(byValues('White Lantern', 'Metal Sign')).toBeUndefined()
  expect(byValues('536365', '17850.0', '2026-01-01')).toBeUndefined()
})

test('Names and values of hostile length and form are looked at in no time', () => {
  const long = 'a'.repeat(100_000)
  expect(guessPersonal(long, [long, `${'@'.repeat(50_000)}.`, ' '.repeat(100_000)], at)).toBeNull()
  expect(guessPersonal('\u202eliame', ['x'], at)).toBeNull()
})
