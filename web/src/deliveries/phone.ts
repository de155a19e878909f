/** At this width a row has no room for columns and is shown in two lines. */
export const phone = '(max-width: 40em)'
