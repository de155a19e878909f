/** Where the documents tell people how to write an app: what both documents of metadata lead to. */
export const appsPagePath = '/docs/apps'
