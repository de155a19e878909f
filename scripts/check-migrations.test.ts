import { expect, test } from 'vitest'
import { checkMigrations, rules } from './migration-rules.ts'

/** A released file, and further ones. */
const released = 'create table orders (id uuid primary key, amount numeric, note text);'
const check = async (...files: string[]): Promise<string[]> =>
  (await checkMigrations([released, ...files], 1)).map(({ rule }) => rule)

const bad: [rule: string, ...files: string[]][] = [
  ['no-drop-in-expand', 'alter table orders drop column note;'],
  ['no-drop-in-expand', 'drop table orders;'],
  ['no-drop-in-expand', 'drop function total(uuid);'],
  ['no-drop-in-expand', 'drop index concurrently if exists orders_by_note;'],
  ['no-drop-in-expand', 'alter table orders alter column note drop default;'],
  ['no-rename-in-expand', 'alter table orders rename column note to remark;'],
  ['no-rename-in-expand', 'alter table orders rename to purchases;'],
  ['not-null-after-check', 'alter table orders alter column note set not null;'],
  [
    'not-null-after-check',
    'alter table orders add constraint orders_note check (note is not null) not valid;',
    '-- contract: 0.3.0\nalter table orders alter column note set not null;',
  ],
  ['new-column-nullable', 'alter table orders add column paid boolean not null;'],
  ['index-concurrently', 'create index orders_by_note on orders (note);'],
  ['constant-default', 'alter table orders add column token uuid default gen_random_uuid();'],
  [
    'constant-default',
    `alter table orders add column at timestamptz default date_trunc('day', clock_timestamp());`,
  ],
  ['no-rewrite', 'alter table orders add column number bigint generated always as identity;'],
  ['no-rewrite', 'alter table orders add column twice numeric generated always as (2 * amount) stored;'],
  ['no-rewrite', 'alter table orders add column number bigserial;'],
  ['no-changed-type', 'alter table orders alter column note type varchar(20);'],
  ['not-valid-first', 'alter table orders add constraint orders_positive check (amount > 0);'],
  [
    'not-valid-first',
    'alter table orders add constraint orders_of foreign key (id) references members (id);',
  ],
  [
    'not-valid-first',
    'alter table orders add column member uuid constraint orders_member references members (id);',
  ],
  ['unique-by-index', 'alter table orders add constraint orders_note unique (note);'],
  ['named-constraint', 'alter table orders add check (amount > 0) not valid;'],
  [
    'concurrent-alone',
    'alter table orders add constraint orders_positive check (amount > 0) not valid;\nalter table orders validate constraint orders_positive;',
  ],
  [
    'concurrent-alone',
    'alter table orders add column paid boolean;\ncreate index concurrently orders_by_paid on orders (paid);',
  ],
  ['concurrent-alone', '-- contract: 0.3.0\ndrop index concurrently orders_by_note;'],
  ['no-transaction', 'begin;\nalter table orders add column paid boolean;\ncommit;'],
  ['no-long-lock', 'lock table orders;'],
  ['one-action', 'alter table orders add column paid boolean, add column paid_at timestamptz;'],
  ['readable-commands', 'do $$ begin perform 1; end $$;'],
  [
    'citus-tables',
    'create trigger orders_changed after update on orders for each row execute function notify_all();',
  ],
  ['one-command-a-line', 'create table a (id integer); create table b (id integer);'],
]

test.each(bad)('%s: %s', async (rule, ...files) => {
  expect(await check(...files)).toEqual([rule])
})

test('each rule refuses something here', () => {
  expect(new Set(bad.map(([rule]) => rule))).toEqual(new Set(rules.map(({ name }) => name)))
})

test('what lets others work is not refused', async () => {
  const good = [
    'create table lines (id uuid primary key, order_id uuid references orders (id), check (id <> order_id));\ncreate index lines_by_order on lines (order_id);',
    `alter table orders add column paid boolean not null default false;\nalter table orders add column at timestamptz default now();`,
    '-- For the page of notes.\ncreate index concurrently orders_by_note on orders (note);\ncreate unique index concurrently orders_by_at on orders (at);',
    'alter table orders add constraint orders_note check (note is not null) not valid;',
    'alter table orders validate constraint orders_note;',
    '-- contract: 0.3.0\nalter table orders alter column note set not null;\nalter table orders drop column amount;\ndrop table lines;',
    '-- contract: 0.3.0\ndrop index concurrently if exists orders_by_note;',
    'create table scratch (like orders);\ndrop table scratch;',
    `insert into orders (id, note) values ('0198c4a0-0000-7000-8000-000000000000', 'first');`,
  ]
  expect(await check(...good)).toEqual([])
})

test('what was released is not checked', async () => {
  expect(await checkMigrations([released, 'drop table orders;'], 2)).toEqual([])
})
