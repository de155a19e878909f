import type { Secret } from './secret.ts'

/** `perMinute` calls a minute on average, up to `burst` in a row. */
export interface Rate {
  readonly perMinute: number
  readonly burst: number
}

export const identityProviders = ['demo', 'bankid', 'oidc', 'oidc+bankid'] as const
export type IdentityProviderName = (typeof identityProviders)[number]

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** What a company may hold, unless the operator sets another limit for it (`src/engine/usage`). */
export const companyLimits = [
  'sources',
  'connections',
  'members',
  'shape_versions',
  'cells',
  'stored_bytes',
  'waiting_bytes',
  'waiting_deliveries',
] as const
export type CompanyLimits = Record<(typeof companyLimits)[number], number>

/** What connects this service with BankID. Files are absolute paths. */
export interface BankIdSettings {
  /** Of the relying-party API, without a slash at the end. */
  readonly url: string
  /** The certificate that BankID knows this deployment by: PKCS#12, or PEM with `keyFile`. */
  readonly certificateFile: string
  readonly keyFile: string | undefined
  /** PEM: who issued the certificate of BankID's server. */
  readonly issuerFile: string
  /** PEM: the roots of people's signatures. */
  readonly rootsFile: string
}

/** The OpenID Connect provider that signs people in. */
export interface OidcSettings {
  /** To the letter, as the provider's metadata says it. */
  readonly issuer: string
  readonly clientId: string
  /** The claim that holds the personal number. */
  readonly personalNumberClaim: string
  readonly nameClaim: string
  /** What is requested as `acr_values`, and one of which the answer must have; none where any will do. */
  readonly acrValues: readonly string[]
  readonly scopes: readonly string[]
  /** A sign-in of which the provider does not say when it was counts as one of this moment. */
  readonly assumesRecentSignIn: boolean
}

/** Where backups are kept. */
export type BackupPlace =
  | {
      readonly kind: 'folder'
      /** Absolute. */
      readonly folder: string
    }
  | {
      /** Amazon S3, or what speaks like it. */
      readonly kind: 's3'
      /** The address under which buckets are paths, without a slash at the end. */
      readonly endpoint: string
      readonly bucket: string
      /** Of all keys, without slashes at its ends; empty for none. */
      readonly prefix: string
      readonly region: string
    }

/** What an operator may set (docs/configuration.md). Holds no secrets, so it may be printed. */
export interface Config {
  /** The address that clients use, which is also the OAuth issuer; without a slash at the end. */
  readonly baseUrl: string
  readonly http: {
    readonly host: string
    readonly port: number
    /** Which proxies are trusted with the client's address: how many, or their addresses; false for none. */
    readonly trustProxy: number | readonly string[] | false
    /** Concurrent connections of clients. */
    readonly connectionsMax: number
    /** For all bodies in memory. */
    readonly bodiesBytesMax: number
    /** How long a process that is to stop is not ready and still takes calls, in milliseconds. */
    readonly drainMs: number
  }
  /** Undefined where the service's metrics are off. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** Absolute. */
  readonly dataFolder: string
  /** Undefined where nothing is backed up. */
  readonly backup: BackupPlace | undefined
  /** Where a restore is rehearsed, if anywhere. */
  readonly backupRehearsalFolder: string | undefined
  /** Whether the built-in database is used, in the data folder. */
  readonly embeddedDatabase: boolean
  /** Of all pools together (`database/pools.ts`). */
  readonly database: { readonly connectionsMax: number }
  readonly logLevel: LogLevel
  readonly identityProvider: IdentityProviderName
  /** Undefined where BankID is not used. */
  readonly bankid: BankIdSettings | undefined
  /** Undefined where no OpenID Connect provider signs people in. */
  readonly oidc: OidcSettings | undefined
  readonly rates: {
    /** For service connections, each. */
    readonly connection: Rate
    /** For webhooks, by source. */
    readonly webhook: Rate
    /** For the demo connection, by client network. */
    readonly demo: Rate
    /** For the token and revoke endpoints, by client and network; for authorize, by network. */
    readonly oauth: Rate
    /** For what members change on the pages, by member. */
    readonly write: Rate
  }
  /** How long people stay signed in. */
  readonly sessions: {
    /** Without use. */
    readonly idleMs: number
    /** After identifying themselves, for what gives others access. */
    readonly recentSignInMs: number
  }
  readonly companyLimits: Readonly<CompanyLimits>
  readonly oauth: {
    /** Whether apps may register http addresses of the member's own machine. */
    readonly loopbackRedirects: boolean
    /** Other servers that tokens may be for as well (RFC 8707): absolute addresses, byte for byte. */
    readonly resources: readonly string[]
  }
  /** Further origins that the interactive reference is served from. */
  readonly docsOrigins: readonly string[]
  /** The demo connection's: published, so no secret. Undefined where there is none. */
  readonly demoCredential: string | undefined
  /** When the demo is reset each night: `HH:MM` in the time zone of this process. Undefined where it is not. */
  readonly demoResetAt: string | undefined
  readonly worker: {
    /** Threads that parse deliveries; 0 leaves the parsing to other processes. */
    readonly count: number
    /** How often they poll for deliveries that another process stored. */
    readonly pollIntervalMs: number
  }
  /** Whether tests may move the clock over HTTP. */
  readonly testClock: boolean
}

/** What the store of backups knows this deployment by. */
export interface BackupCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** With temporary credentials. */
  readonly sessionToken: string | undefined
}

export interface SecretSettings {
  /** Undefined where the built-in database is used. */
  readonly databaseUrl: Secret<string> | undefined
  /** Of its standbys; undefined where there are none. */
  readonly standbyUrls: Secret<readonly string[]> | undefined
  /** 32 bytes. Undefined where a command prints it, or it is kept in the data folder (`keys/load-master-keys.ts`). */
  readonly masterKey: Secret<Uint8Array> | undefined
  /** Prints it instead, as `NUMERA_MASTER_KEY` has it. Secret, since it may hold a token. */
  readonly masterKeyCommand: Secret<string> | undefined
  /** The previous one, while the master key is changed: 32 bytes. */
  readonly previousMasterKey: Secret<Uint8Array> | undefined
  /** What backups are sealed under: 32 bytes. Undefined where that is the master key. */
  readonly backupKey: Secret<Uint8Array> | undefined
  /** The previous one, which still opens older backups: 32 bytes. */
  readonly previousBackupKey: Secret<Uint8Array> | undefined
  /** Undefined where backups are not kept in S3. */
  readonly backupCredentials: Secret<BackupCredentials> | undefined
  /** Of BankID's key or PKCS#12 file. Undefined where it has none, or BankID is not used. */
  readonly bankidPassphrase: Secret<string> | undefined
  /** Undefined where no OpenID Connect provider signs people in. */
  readonly oidcClientSecret: Secret<string> | undefined
}
