import type { PageRequest } from '../pagination.ts'

/** The page that a query asks for. Query values are text. */
export function toPageRequest(query: { cursor?: string; limit?: string }): PageRequest {
  return {
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    ...(query.limit === undefined ? {} : { limit: Number(query.limit) }),
  }
}
