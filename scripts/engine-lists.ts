import { join } from 'node:path'
import { aggregationNames, aggregations } from '../src/engine/aggregations/aggregations.ts'
import { formatNames, formats } from '../src/engine/formats/formats.ts'
import { formatSource } from './format-source.ts'

const pages = join(import.meta.dirname, '..', 'web', 'src')

const toRecord = <Name extends string, Value>(names: readonly Name[], toValue: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, toValue(name)]))

const writeWords = (language: 'en' | 'sv'): string => {
  const words = toRecord(aggregationNames, (name) => aggregations[name].words[language])
  const texts = {
    aggregation: {
      name: toRecord(aggregationNames, (name) => words[name]!.name),
      field: toRecord(aggregationNames, (name) => words[name]!.field),
      sentence: toRecord(aggregationNames, (name) => words[name]!.sentence),
      rows: toRecord(aggregationNames, (name) => words[name]!.rowsSentence ?? words[name]!.sentence),
    },
    format: toRecord(formatNames, (name) => formats[name].names[language]),
  }
  return `export const ${language} = ${JSON.stringify(texts)}`
}

const writeRules = (): string => {
  const ofAggregations = toRecord(aggregationNames, (name) => {
    const { counts, takesTimes, combines } = aggregations[name]
    return { counts, takesTimes, adds: combines === 'sum' }
  })
  const ofFormats = toRecord(formatNames, (name) => {
    const { fileName, webhookMediaType } = formats[name]
    return { fileName, webhookMediaType }
  })
  return `
    /** In the order of the form. \`adds\`: values of several periods add up. */
    export const aggregationRules = ${JSON.stringify(ofAggregations)} as const
    export type Aggregation = keyof typeof aggregationRules
    export const aggregations = Object.keys(aggregationRules) as Aggregation[]

    export const formatRules = ${JSON.stringify(ofFormats)} as const
    export type Format = keyof typeof formatRules
    export const formats = Object.keys(formatRules) as Format[]`
}

/** The pages' files about aggregations and formats, by path: their words in each language, and their rules. */
export const writeEngineLists = async (): Promise<Record<string, string>> => {
  const files = {
    [join(pages, 'language', 'en', 'engine.ts')]: writeWords('en'),
    [join(pages, 'language', 'sv', 'engine.ts')]: writeWords('sv'),
    [join(pages, 'api', 'engine-rules.ts')]: writeRules(),
  }
  const written = Object.entries(files).map(async ([path, text]) => [
    path,
    await formatSource(path, `// Written by \`npm run openapi\` from src/engine.\n${text}`),
  ])
  return Object.fromEntries(await Promise.all(written))
}
