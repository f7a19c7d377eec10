import fs from 'node:fs'
import path from 'node:path'
import { FileMissing, isStorageKey, type FileStore } from './fileStore.ts'

/** Files in a folder, spread over 256 subfolders by their key. */
export function diskStore(folder: string): FileStore {
  const incoming = path.join(folder, 'incoming')
  const pathOf = (key: string): string => {
    if (!isStorageKey(key)) throw new FileMissing(key)
    return path.join(folder, key.slice(0, 2), key)
  }
  return {
    incoming,
    async keep(key, file) {
      const target = pathOf(key)
      await fs.promises.mkdir(path.dirname(target), { recursive: true })
      // Renaming is one step of the file system: nobody ever sees half a file.
      await fs.promises.rename(file.path, target)
      await flushFolder(path.dirname(target))
    },
    async read(key) {
      const handle = await fs.promises.open(pathOf(key)).catch(() => undefined)
      if (!handle) throw new FileMissing(key)
      return handle.createReadStream()
    },
    async remove(key) {
      await fs.promises.rm(pathOf(key), { force: true })
    },
  }
}

/** The new name survives a power cut only once the folder itself is written. Windows cannot open folders and needs none of it. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder).catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
