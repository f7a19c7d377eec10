import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Words and options of a command; what it does not know is said in one line, with how it is meant to be called. Ends the process then. */
export function commandLine<Config extends ParseArgsConfig>(config: Config, usage: string): ReturnType<typeof parseArgs<Config>> {
  // Whoever reads the first lines only (`| head`) has read enough; what the command does goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const read = readWords(config)
  if (!('refused' in read)) return read.words
  process.stderr.write(`${read.refused}\n${usage.trimEnd()}\n`)
  process.exit(1)
}

/** The same as an answer. */
export function readWords<Config extends ParseArgsConfig>(config: Config): { readonly words: ReturnType<typeof parseArgs<Config>> } | { readonly refused: string } {
  try {
    return { words: parseArgs(config) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Node goes on to explain how an option is written that looks like a word.
    return { refused: error.message.split('. ')[0] ?? error.message }
  }
}
