// How the built server is started.

/**
 * Flags by the database it works on. Beside an embedded one, which lives in the same process, memory is kept small: short-lived objects are cleared
 * away before they spread, and the heap grows by two fifths between two clearings instead of doubling, for a twentieth more work in a long import and
 * a tenth more in an order. A server on PostgreSQL takes what Node takes.
 */
export const serverFlags = (databaseUrl) => ['--enable-source-maps', ...(databaseUrl ? [] : ['--max-semi-space-size=4', '--heap-growing-percent=40'])]
/** Memory of many threads is kept together. */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2' }
