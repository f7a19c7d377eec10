/** Version and commit of this program, written in when it is built. */
export const appVersion = __ARUS_VERSION__
export const appCommit = __ARUS_COMMIT__
