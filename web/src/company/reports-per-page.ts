/** Sources of a page of reports; the most that the service gives. */
export const reportsPerPage = '100'
