// Written by `npm run openapi` from src/engine.
export const sv = {
  aggregation: {
    name: {
      sum: 'Summa',
      count: 'Antal rader',
      count_distinct: 'Antal olika värden',
      min: 'Minsta',
      max: 'Största',
      last: 'Senaste efter händelsetid',
    },
    field: {
      sum: 'Summan av',
      count: 'Rader med',
      count_distinct: 'Olika värden av',
      min: 'Minsta av',
      max: 'Största av',
      last: 'Senaste av',
    },
    sentence: {
      sum: 'Lägger ihop {{what}} från varje rad',
      count: 'Räknar varje rad som har {{what}}',
      count_distinct: 'Räknar varje {{what}} en gång',
      min: 'Tar minsta {{what}}',
      max: 'Tar största {{what}}',
      last: 'Tar senaste {{what}}',
    },
    rows: {
      sum: 'Lägger ihop {{what}} från varje rad',
      count: 'Räknar varje rad',
      count_distinct: 'Räknar varje {{what}} en gång',
      min: 'Tar minsta {{what}}',
      max: 'Tar största {{what}}',
      last: 'Tar senaste {{what}}',
    },
  },
  format: { json: 'JSON', json_lines: 'JSON-rader', csv: 'CSV', sie: 'SIE 4' },
}
