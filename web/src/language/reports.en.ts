/** Texts of the reports, in English. */
export const en = {
  title: 'Reports',
  none: '{{company}} has no numbers yet.',
  intro_one: 'One source.',
  intro_other: '{{count}} sources.',
  latest: 'Latest figures',
  period: 'Period',
  metric: 'Metric',
  labels: 'Labels',
  value: 'Value',
  noFigures: 'No figures in the last 366 days.',
  noLabels: 'none',
  truncated: 'There are more figures than are shown here.',
  start: {
    title: 'From nothing to your first number, in about five minutes',
    describe: 'Describe a source',
    describeText:
      'Drop a file that your system exports: names, types and personal fields are proposed from it.',
    sign: 'Sign a connection',
    signText: 'What the system holds to send. Try it as a sandbox first.',
    send: 'Send a delivery',
    sendText: 'With a command that is filled in for you. The number shows here within two seconds.',
  },
  byThemselves: 'Reports show here by themselves',
  byThemselvesText:
    'They come when a system of the company sends its first numbers. You need to do nothing, and may read all of them.',
  whoConnects: 'Who can connect a system',
  readBySource: 'Figures of',
}
