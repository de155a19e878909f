import type { Page, PageRequest } from '../../platform/http/pagination.ts'

/** The whole of a list that is read a page at a time. */
export async function everyPage<Item>(read: (request: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  for (let request: PageRequest = { limit: 200 }; ;) {
    const page: Page<Item> = await read(request)
    items.push(...page.items)
    if (page.nextCursor === null) return items
    request = { limit: 200, cursor: page.nextCursor }
  }
}
