/** The parts of Eleventy that are used: it has no types. */
declare module '@11ty/eleventy' {
  /** The data of a template, front matter included. */
  export type TemplateData = Record<string, unknown> & { page: { inputPath: string } }

  export interface UserConfig {
    ignores: Set<string>
    addFilter(name: string, filter: (...values: never[]) => unknown): void
    addGlobalData(name: string, data: unknown): void
    addPreprocessor(
      name: string,
      extension: string,
      process: (data: TemplateData, content: string) => string,
    ): void
    addTemplate(path: string, content: string, data: Record<string, unknown>): void
    amendLibrary(engine: 'md', amend: (library: never) => void): void
    setIncludesDirectory(folder: string): void
    setNunjucksEnvironmentOptions(options: Record<string, unknown>): void
    setTemplateFormats(formats: string[]): void
    setUseGitIgnore(uses: boolean): void
  }

  export interface BuiltPage {
    inputPath: string
    outputPath: string
    content: string
  }

  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; config: (config: UserConfig) => Promise<void> },
    )
    initializeConfig(overrides: { markdownTemplateEngine: false }): Promise<void>
    toJSON(): Promise<BuiltPage[]>
  }
}
