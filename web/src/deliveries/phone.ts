/** Where a row has no room for columns, and stands in two lines instead. */
export const phone = '(max-width: 40em)'
