import { totalmem } from 'node:os'

export type PostgresSettings = Record<string, string | number>

const mebibyte = 1024 * 1024

/** An eighth of what this process may use, between 32 and 512 MiB. */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory()
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.min(512, Math.max(32, Math.floor(memory / 8 / mebibyte)))
}

/**
 * For a database whose only client is the service on the same small machine. Settings that keep an answered
 * 202 on disk are explicit, though they are the defaults.
 */
export function embeddedSettings(): PostgresSettings {
  return {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    // No port: a Unix socket in a folder of our own.
    listen_addresses: '',
    port: 5432,
    unix_socket_permissions: '0700',
    // For one service, its commands, and operators.
    max_connections: 100,

    shared_buffers: `${sharedBuffersMb()}MB`,
    // Deliveries are written once and in order. Fewer checkpoints write fewer full pages; recovering from 2 GB of
    // log takes some seconds.
    checkpoint_timeout: '15min',
    max_wal_size: '2GB',
    min_wal_size: '256MB',
    random_page_cost: 1.1,
    // Compiling a plan takes longer than running our statements.
    jit: 'off',
    max_logical_replication_workers: 0,

    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Details and statements may contain senders' data.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
  }
}

/** How long a commit may be in no finished segment of the log, in seconds: what a lost disk loses at most. */
const segmentSecondsMax = 60

/** Copies each finished segment into a folder, which must be there. */
export function archiveSettings(folder: string): PostgresSettings {
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': folder,
    archive_timeout: segmentSecondsMax,
  }
}
