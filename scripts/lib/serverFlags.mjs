// How the built server is started. Memory of many threads is kept together, short-lived objects are cleared away before they spread, and the heap
// grows by two fifths between two clearings instead of doubling: the whole server stays small, for a twentieth more work in a long import.
export const serverFlags = ['--enable-source-maps', '--max-semi-space-size=4', '--heap-growing-percent=40']
export const serverEnvironment = { MALLOC_ARENA_MAX: '2' }
